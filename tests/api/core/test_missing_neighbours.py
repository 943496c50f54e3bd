"""What is said where an optional package is missing."""

from __future__ import annotations

import pickle
import sys

import pytest

import structarr as sa


def test_a_module_of_a_neighbour_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    ours = ("structarr.dask", "structarr._dask")
    for name in [one for one in sys.modules if one.startswith(ours)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(vars(sa), "dask", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r"needs dask.*: pip install 'structarr\[dask\]'"):
        sa.dask  # noqa: B018


def test_drawing_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"pip install structarr\[plot\]"):
        sa.spy(sa.eye(3))


def test_pickling_by_value_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    local = sa.operator(lambda a, b: a + 2 * b, name="by_value_only")
    with pytest.raises(pickle.PicklingError, match="install cloudpickle"):
        pickle.dumps(local)


def test_private_names_of_limits_are_not_asked_of_numpy() -> None:
    """As copies ask for them before there are limits."""
    with pytest.raises(AttributeError, match="_hidden"):
        sa.finfo("float32")._hidden  # noqa: B018
