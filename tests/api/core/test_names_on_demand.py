"""Names on demand: modules are imported when one of their names, or NumPy's twin, is asked for."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._methods import tables
from structarr._methods.tables import FUNCTIONS
from structarr._support.on_demand import on_demand


def typed(module: ModuleType) -> dict[str, tuple[str, str]]:
    """The names that type checkers see alone, and where they are."""
    assert module.__file__ is not None
    found = {}
    for node in ast.parse(Path(module.__file__).read_text()).body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Attribute):
            for one in node.body:
                assert isinstance(one, ast.ImportFrom) and one.module is not None
                for name in one.names if one.module != "structarr" else []:
                    found[name.asname or name.name] = one.module, name.name
    return found


@pytest.mark.parametrize("module", [sa, sa.linalg, sa.ndimage], ids=lambda one: one.__name__)
def test_what_types_are_told_is_found(module: ModuleType) -> None:
    assert typed(module) == module._PLACES
    for name, (home, there) in module._PLACES.items():
        assert getattr(module, name) is getattr(import_module(home), there)
        assert name in dir(module)


def run(text: str, *options: str) -> str:
    command = [sys.executable, *options, "-c", text]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


FAR = (
    "_api.composed",
    "_api.images",
    "_api.jit",
    "_api.reductions.quantiles",
    "_api.sets",
    "_dask",
)
"""What most programs do without."""


def test_an_import_brings_what_first_results_need() -> None:
    text = "import sys, structarr; print([one for one in sys.modules if one.startswith(%r)])"
    packages = ("numba", "llvmlite", "scipy", *[f"structarr.{one}" for one in FAR])
    assert run(text % (packages,)) == "[]"


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("float(np.median(a))", "2.5"),  # by the name of NumPy's function
        ("round(float(np.linalg.det(a)))", "-2"),
        ("complex(np.fft.fft(a[0])[0])", "(3+0j)"),
        ("np.modf(a[0])[1].tolist()", "[1.0, 2.0]"),  # a ufunc of several results
        ("np.add(a, 1, dtype='float32').dtype", "float32"),
        ("np.zeros(2, like=a).shape", "(2,)"),  # published beside the name of ours
        ("float(np.asanyarray(3.0, like=a))", "3.0"),
        ("(a.getnnz(), a[0].tolist())", "(4, [1.0, 2.0])"),
        ("sa.Array.cumsum.__doc__.count('$')", "0"),  # sections of the function's
        ("a.mean.__doc__.count('structarr.mean : ')", "1"),
    ],
)
def test_first_calls_import_what_they_need(call: str, shown: str) -> None:
    made = "import numpy as np, structarr as sa; a = sa.asarray([[1.0, 2.0], [3.0, 4.0]])"
    assert run(f"{made}\nprint({call})") == shown


def test_what_nobody_publishes_is_not_found() -> None:
    with pytest.raises(KeyError, match="nothing"):
        FUNCTIONS["nothing"]
    assert FUNCTIONS.found(np.show_config) is None
    with pytest.raises(AttributeError, match="module 'numpy' has no attribute 'nothing'"):
        on_demand("numpy", {})[0]("nothing")


def test_operators_of_semirings_are_known_by_name() -> None:
    asked = (
        "from structarr._api.programs.operators import op_of; print(op_of('max_times_add').name)"
    )
    assert run(asked) == "max_times_add"


def test_every_twin_is_found_in_a_new_process() -> None:
    """In whatever order: each is asked for alone, of tables that know none but what is imported."""
    tables.bring_all()
    ours = [one for one in FUNCTIONS if not isinstance(one, str)]
    names = sorted({f"{one.__module__ or 'numpy'}.{one.__name__}" for one in map(named, ours)})
    text = f"""
import sys, numpy.fft, numpy.lib.stride_tricks, operator, structarr
from structarr._methods.tables import FUNCTIONS
operators = {{"_operator": operator}}
for name in {names}:
    module, _, own = name.rpartition(".")
    assert FUNCTIONS.found(getattr(operators.get(module) or sys.modules[module], own)), name
"""
    assert run(text) == ""


def named(twin: Any) -> Any:
    """A function that says its module; ufuncs do not."""
    return (
        twin
        if getattr(twin, "__module__", None)
        else SimpleNamespace(__module__="numpy", __name__=twin.__name__)
    )


def test_tables_by_which_steps_are_found_do_not_wait_for_names() -> None:
    """A step of the planner's says by name what is derived, or which operator it is."""
    text = """
import structarr
from structarr._compiler.runtime import HELPERS
from structarr._storage.memo import DERIVED
from structarr.formats.kinds import KINDS
def sizes(): return [len(one) for one in (DERIVED, HELPERS, KINDS)]
first = sizes()
from structarr._methods.tables import bring_all
bring_all()
print(sizes() == first)
"""
    assert run(text) == "True"


def test_everything_is_imported_with_a_star() -> None:
    text = "from structarr import *; print(median.__name__, linalg.__name__, asarray([2]).sum())"
    assert run(text) == "median structarr.linalg 2"


def test_methods_without_docstrings_work() -> None:
    text = "import structarr as sa; print(sa.asarray([1, 3, 2]).argmax().item())"
    assert run(text, "-OO") == "1"
