"""Profiles: kernels that ran, calls on all threads, conversions."""

import re
import threading

import numpy as np
import pytest

import structarr as sa
from structarr._api.programs.versions import versions
from structarr._compiler.backend import kernel
from structarr._support import events


def square() -> sa.Array:
    return sa.asarray(np.eye(5), format="csr")


def test_interpreted_calls_are_counted() -> None:
    a = square()
    with sa.options(tier="interpreted"), sa.profile() as p:
        for _ in range(4):
            (a @ np.ones(5)).compute()
    (found,) = p.kernels
    assert (found.calls, found.interpreted) == (4, 4)
    assert "A" in found.program
    assert 0 < found.seconds < p.seconds
    assert "def kernel" in found.source
    assert re.match(r"4 calls of 1 kernel, ", str(p))


def test_compiled_calls_are_counted_of_old_and_new_plans_and_of_other_threads() -> None:
    with sa.options(tier="compiled"):
        a = square()
        (a @ np.ones(5)).compute()
        with sa.profile() as p:
            (a @ np.ones(5)).compute()
            work = (a @ np.full(5, 2.0)).compute
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
    assert sum(one.calls for one in p.kernels) == 2
    assert not any(isinstance(one.compiled, kernel.Timed) for one in kernel._known())
    assert not events.observers


def test_profiles_nest() -> None:
    a = square()
    with sa.options(tier="interpreted"), sa.profile() as outer:
        (a * 2.0).compute()
        with sa.profile() as inner:
            (a * 3.0).compute()
    assert [sum(one.calls for one in p.kernels) for p in (outer, inner)] == [2, 1]


def test_conversions_are_listed() -> None:
    with sa.options(tier="interpreted"), sa.profile() as p:
        square().asformat("csc")
    assert [(one.what, one.times) for one in p.conversions if one.what == "to csc"] == [
        ("to csc", 1)
    ]
    assert "converted to csc: 1 times" in str(p)


def test_an_error_ends_a_profile() -> None:
    with pytest.raises(ZeroDivisionError), sa.profile() as p:
        raise ZeroDivisionError
    assert not events.observers
    assert p.kernels == ()


def test_versions_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    sa.show_versions()
    shown = capsys.readouterr().out
    assert re.search(r"^numpy +2", shown, re.M)
    assert versions()["options"].startswith("Options(tier=")
