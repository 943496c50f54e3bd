"""How long one waits: for the import, for a first result, for a call on next to nothing."""

from __future__ import annotations

import compileall
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks import first_calls, new_lengths, small_calls, traced
from benchmarks.cold import CASES
from benchmarks.report import Row, row
from benchmarks.timing import Call, race
from structarr._execute.executor import Executor

OURS = "structarr"
SMALL, LARGE = 1000, 1_000_000
TARGET = 0.015  # seconds within which a first small result is promised
BESIDE = 0.120  # seconds that the import may take beside NumPy and SciPy's sparse arrays
FIRST = {"cold": (1.3, 12.0), "disk cache": (0.25, 3.0)}
"""The most seconds of a first call, and of all together, with an empty disk and thereafter."""
SOURCE = 0.020  # and the source of a kernel of ten operations


def run(data: Path, quick: bool) -> Iterator[Row]:
    """Yield the rows of all cases; nothing here reads `data`."""
    del data
    turns = 1 if quick else 2
    yield from _imports(turns)
    for case in ("multiply",) if quick else CASES:
        for name, stored in (("small", SMALL),) if quick else (("small", SMALL), ("large", LARGE)):
            yield from _first(case, name, stored, turns)
    yield from _everyday(quick)
    yield from _lowered(3 if quick else 12)
    yield from _warm(0.5 if quick else 3.0)
    yield from small_calls.rows(quick)
    yield from new_lengths.rows(quick)
    yield from traced.rows(0.2 if quick else 2.0)


def _peers() -> list[str]:
    return ["scipy"] + ["pydata/sparse"] * bool(find_spec("sparse"))


# ----------------------------------------------------------------- the import


def _imports(turns: int) -> Iterator[Row]:
    modules = {OURS: "structarr", "numpy": "numpy", "scipy": "scipy.sparse", "numba": "numba"}
    if find_spec("sparse"):
        modules["pydata/sparse"] = "sparse"
    # Bytecode is there, as where pip has copied the package; and in turns, as everything here.
    compileall.compile_dir(Path(sa.__file__).parent, quiet=1)
    rounds = [{name: _import(module) for name, module in modules.items()} for _ in range(turns)]
    best = {name: min(each[name] for each in rounds) for name in modules}
    for peer in list(modules)[1:]:
        yield row("import", OURS, best[OURS], peer, best[peer], True)
    beside = min([_import("structarr", "import numpy, scipy.sparse; ") for _ in range(turns)])
    yield row("import beside SciPy", OURS, beside, "target 120 ms", BESIDE, True)


def _import(module: str, before: str = "") -> float:
    code = (
        f"{before}from time import perf_counter as now; start = now(); "
        f"import {module}; print(now() - start)"
    )
    return float(_python(["-c", code], None))


# ------------------------------------------------------------ the first result


def _first(case: str, name: str, stored: int, turns: int) -> Iterator[Row]:
    """Yield what a process waits that has compiled nothing, and one that finds kernels on disk."""
    cold: dict[str, list[Any]] = {}
    second = []
    for _ in range(turns):
        with TemporaryDirectory() as cache:
            for library in (OURS, *_peers()):
                cold.setdefault(library, []).append(_result(library, case, stored, cache))
            second.append(_result(OURS, case, stored, cache))
    for variant, ours in (("cold", cold[OURS]), ("disk cache", second)):
        label = f"first {case} {name}"
        for peer in _peers():
            same = all(_alike(ours[0], each) for each in cold[peer])
            yield row(label, variant, _least(ours), peer, _least(cold[peer]), same)
        if stored <= SMALL:
            yield row(label, variant, _least(ours), "target 15 ms", TARGET, True)


def _result(library: str, case: str, stored: int, cache: str) -> dict[str, float]:
    text = _python(["-m", "benchmarks.cold", library, case, str(stored)], cache)
    result: dict[str, float] = json.loads(text)
    return result


def _python(arguments: list[str], cache: str | None) -> str:
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    if cache is not None:
        environment["STRUCTARR_CACHE_DIR"] = cache
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


def _least(results: list[dict[str, float]]) -> float:
    return min(result["seconds"] for result in results)


def _alike(ours: dict[str, float], theirs: dict[str, float]) -> bool:
    return bool(np.isclose(ours["total"], theirs["total"], rtol=1e-9, atol=1e-6))


# --------------------------------------------------- first calls of the everyday


def _everyday(quick: bool) -> Iterator[Row]:
    """Yield what first calls take with an empty disk, and in processes that come after."""
    totals = dict.fromkeys(FIRST, 0.0)
    for rows in first_calls.ROWS[1:2] if quick else first_calls.ROWS:
        with TemporaryDirectory() as cache:
            for case in list(first_calls.CASES)[:: 4 if quick else 1]:
                for variant, (most, _) in FIRST.items():
                    text = _python(["-m", "benchmarks.first_calls", case, str(rows)], cache)
                    found = json.loads(text)
                    first, *later = found["seconds"]
                    same = bool(np.isclose(found["total"], found["wanted"], rtol=1e-7))
                    totals[variant] += first
                    label = f"first {case}, {rows} rows"
                    yield row(label, variant, first, f"target {most} s", most, same)
                    yield row(
                        f"later {case}, {rows} rows", variant, max(later), "first", first, same
                    )
    yield _found()
    if not quick:
        for variant, (_, most) in FIRST.items():
            yield row("first calls, all", variant, totals[variant], f"target {most} s", most, True)


def _found() -> Row:
    """What a kernel takes that another process has compiled, without LLVM's import."""
    code = (
        "import llvmlite.binding; from time import perf_counter as now; import structarr as sa; "
        "start = now(); found = sa.warm(['csr']); print((now() - start) / found)"
    )
    with TemporaryDirectory() as cache:
        compiled, found = (float(_python(["-c", code], cache)) for _ in range(2))
    return row("kernel", "disk cache", found, "cold", compiled, found < compiled)


# --------------------------------------------------- from the call to the source


def _lowered(turns: int) -> Iterator[Row]:
    """Yield how long new expressions of ten operations take to be lowered.

    They read one list, or merge two or three.
    """
    random = np.random.default_rng(0)
    stored = [sp.random_array((6, 6), density=0.4, format="csr", rng=random) for _ in range(3)]
    lists = [sa.asarray(one) for one in stored]
    dense = [one.toarray() for one in stored]
    Executor().planner.plan(np.multiply(lists[0], lists[1])._node)  # imports what is lowered with
    for count in (1, 2, 3):
        times, same = [], True
        for turn in range(turns):
            expression = _of_ten(lists[:count], np.random.default_rng(turn))
            start = perf_counter()
            Executor().planner.plan(expression._node)
            times.append(perf_counter() - start)
            wanted = _of_ten(dense[:count], np.random.default_rng(turn))
            with sa.options(tier="interpreted"):
                same = same and bool(np.allclose(expression.todense(), wanted))
        label = f"source of ten operations, {count} list{'s' * (count > 1)}"
        yield row(label, OURS, median(times), "target 20 ms", SOURCE, same)


def _of_ten(lists: list[Any], random: np.random.Generator) -> Any:
    ufuncs: list[Any] = [np.multiply, np.divide, np.subtract, np.maximum, np.minimum]
    choices = ufuncs[:2] if len(lists) == 1 else ufuncs[:1] + ufuncs[2:]
    result = lists[0]
    for k in range(1, 11):
        other = lists[k % len(lists)] if len(lists) > 1 else random.random() + 1.0
        result = choices[random.integers(len(choices))](result, other)
    return result


# --------------------------------------------------------------- the warm call


def _warm(seconds: float) -> Iterator[Row]:
    random = np.random.default_rng(0)
    a, b = [sp.random_array((10, 10), density=0.3, format="csr", rng=random) for _ in range(2)]
    product: Any = np.multiply  # NumPy does not know that its result may be ours
    ours, theirs = (sa.asarray(a), sa.asarray(b)), (a, b)
    calls: dict[str, Call] = {
        OURS: lambda: product(*ours).compute(),
        "scipy": lambda: theirs[0].multiply(theirs[1]),
    }
    if find_spec("sparse"):
        import sparse

        pair = [sparse.COO.from_scipy_sparse(one) for one in (a, b)]
        calls["pydata/sparse"] = lambda: np.multiply(*pair)
    with sa.options(tier="compiled"):
        dense = calls[OURS]().todense()
    checked = {name: bool((call().todense() == dense).all()) for name, call in calls.items()}
    times = race(calls, seconds)
    for peer in list(calls)[1:]:
        yield row("warm multiply 10x10", OURS, times[OURS], peer, times[peer], checked[peer])
