"""Programs of which allocations fail: a `MemoryError`, and nothing that is left of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.ir.expr import Call
from structarr._compiler.ir.ruleset import RuleSet
from structarr._testing.allocation_failures import Unclean, fail_in_turn
from structarr._testing.allocations import counted
from structarr._testing.c_target import compiler
from structarr._testing.fuzz.operands import Operand
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result, Step
from structarr._testing.short_of_memory import (
    GIVEN,
    LOSES_CODE,
    OTHERS,
    REFUSED,
    WRONG,
    codes,
    turns,
)  # fmt: skip
from structarr.formats import parse

compiles = pytest.mark.skipif(
    compiler() is None or sys.platform == "win32", reason="needs a C compiler"
)


def program(text: str) -> Program:
    data = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
    operands = [Operand("a0", data, "ours", parse(one, 2), np.float64(0)) for one in ("csr",)]
    return Program(tuple(operands), (Step("t0", text, "one"),), (Result("t0"),), {"tier": "auto"})


@compiles
@pytest.mark.parametrize("text", ["t0 = a0 @ a0.T", "t0 = (a0 * 2).sum(axis=0)"])
def test_each_allocation_fails_in_turn(text: str) -> None:
    assert fail_in_turn(program(text)) > 6


@compiles
def test_errors_of_another_kind_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, *args: Any) -> NoReturn:
        try:
            np.ones(7)
        except MemoryError as error:
            raise ValueError("unlike") from error
        raise MemoryError

    own = program("t0 = a0.sum()")
    own.check()
    with counted() as memory:
        before = memory.alive
        kept = np.ones(100)
        assert memory.alive == before + 1
        memory.fail(0)
        with pytest.raises(MemoryError):
            np.ones(100)
        memory.fail()
        assert np.ones(3).sum() == 3
        del kept
        assert memory.alive == before
    asformat = sa.Array.asformat
    monkeypatch.setattr(sa.Array, "asformat", _once_wrong(asformat))
    with pytest.raises(Unclean, match="ValueError: unlike"):
        fail_in_turn(own)


def _once_wrong(function: Any) -> Any:
    def called(self: Any, *args: Any) -> Any:
        try:
            return function(self, *args)
        except MemoryError as error:
            raise ValueError("unlike") from error

    return called


def test_rules_that_find_no_memory_are_not_said_to_fail() -> None:
    @sa.rules.rule(Call)
    def greedy(node: Any) -> NoReturn:
        raise MemoryError("none is left")

    a = sa.asarray([0.0, 1.0], format="list")
    refused = pytest.raises(MemoryError, match="none is left")
    with sa.options(rules=RuleSet((greedy,)), tier="interpreted"), refused:
        (a * 3 + 1).compute()


LIMITED = """
import resource
import numpy as np
import structarr as sa
a = sa.asarray(np.ones(1000))
with sa.options(tier="compiled"):  # libraries are loaded before memory is short
    (a * 2).sum().compute()
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), resource.RLIM_INFINITY))
refused = 0
for size in (10**8, 10**9):
    for compute in (lambda: sa.asarray(np.ones(size)), lambda: np.asarray(sa.arange(size) * 2.0)):
        try:
            compute()
        except MemoryError:
            refused += 1
print(refused, float((a * 2).sum()))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
def test_processes_of_little_memory_go_on_after_a_refusal() -> None:
    own = {**os.environ, "STRUCTARR_CACHE_DIR": "", "OPENBLAS_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-c", LIMITED], env=own, capture_output=True, text=True, check=False
    )
    assert run.stdout == "4 2000.0\n", run.stderr


SHORT = """
import resource, sys
import numpy as np
import scipy.sparse as sp
import structarr as sa
rng = np.random.default_rng(0)
s, t = [sp.random_array((3000, 3000), density=0.003, format="csr", rng=rng) for _ in range(2)]
a, b, x = sa.asarray(s), sa.asarray(t), rng.random(3000)

def works_of(a, b, x):
    return {
        "a @ x": lambda: np.asarray(a @ x),
        "a * b": lambda: (a * b).sum(axis=0).todense(),
        "a @ b": lambda: np.asarray((a @ b) @ x),
        "expm1": lambda: np.asarray(np.expm1(a) @ x),
        "rows": lambda: np.asarray(a[5:100] @ x),
    }

# Python's parser takes a lack of memory for an error of syntax: all modules are imported before.
small = sa.eye(7, format="csr")
for work in works_of(small, small, x[:7]).values():
    work()
works = works_of(a, b, x)
wanted = {
    "a @ x": s @ x, "a * b": (s * t).sum(axis=0), "a @ b": (s @ t) @ x,
    "expm1": s.expm1() @ x, "rows": s[5:100] @ x,
}
with sa.options(tier=sys.argv[1]):
    for name, work in works.items():
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]), resource.RLIM_INFINITY))
        try:
            work()
        except MemoryError:
            pass
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
        np.testing.assert_allclose(work(), wanted[name])
print("all")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
@pytest.mark.parametrize("tier", ["compiled", "auto"])
@pytest.mark.parametrize("left", [0, 1 << 18, 1 << 24, 100 << 20])
def test_no_work_ends_a_process_or_waits_where_address_space_is_short(tier: str, left: int) -> None:
    """A thread that begins without room never says that it runs, which Python waits for."""
    own = {**os.environ, "STRUCTARR_CACHE_DIR": "", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", SHORT, tier, str(left)]
    run = subprocess.run(command, env=own, capture_output=True, text=True, check=False, timeout=300)
    assert run.stdout == "all\n", run.stderr


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork and /proc")
@pytest.mark.parametrize("way", ["python", "system"])
def test_programs_that_are_short_of_memory_give_values_or_say_so(way: str) -> None:
    if way == "python":
        pytest.importorskip("_testcapi")
    found = turns(program("t0 = a0 @ a0.T"), way, 6, 28)
    assert {*found} <= {GIVEN, REFUSED, OTHERS}, "\n".join(found)
    assert found[REFUSED]


LOSING = """
import _testcapi, sys
def outer():
    return lambda: 1
outer()
(code,) = [one for one in outer.__code__.co_consts if type(one) is type(outer.__code__)]
before = sys.getrefcount(code)
try:
    _testcapi.set_nomemory(0, 1)
    outer()
except MemoryError:
    pass
finally:
    _testcapi.remove_mem_hooks()
print(before - sys.getrefcount(code))
"""


def test_functions_that_find_no_memory_lose_their_code_where_that_is_known() -> None:
    """A fault of Python's, which ends processes by a signal later: no line of this package runs."""
    pytest.importorskip("_testcapi")
    run = subprocess.run([sys.executable, "-c", LOSING], capture_output=True, text=True, check=True)
    assert run.stdout == "0\n" or LOSES_CODE


def test_codes_are_those_of_functions_within_functions() -> None:
    def outer() -> Any:
        return lambda: 1

    assert {outer.__code__, outer().__code__} <= {*codes()}


READING = """
import _testcapi
from structarr._compiler.backend.disk import folder
folder.write("one", b"content" * 9)
told = set()
for number in range(150):
    error = None
    try:
        _testcapi.set_nomemory(number, number + 1)
        content = folder.read("one")
    except BaseException as raised:
        error = raised
    finally:
        _testcapi.remove_mem_hooks()
    told.add(repr(content) if error is None else type(error).__name__)
print(sorted(told))
"""


def test_files_of_the_folder_of_kernels_are_read_or_there_is_no_memory(tmp_path: Path) -> None:
    pytest.importorskip("_testcapi")
    own = {**os.environ, "STRUCTARR_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", READING], env=own, capture_output=True, text=True, check=False
    )
    assert run.stdout == f"{['MemoryError', repr(b'content' * 9)]}\n", run.stderr


ASKING = """
import _testcapi
from pathlib import Path
from structarr._scheduler import machine
from structarr._support import memory
told = set()
for ask in (lambda: machine._read.__wrapped__(Path("nowhere")), memory.available):
    ask()
    for number in range(150):
        error = None
        try:
            _testcapi.set_nomemory(number, number + 1)
            ask()
        except BaseException as raised:
            error = raised
        finally:
            _testcapi.remove_mem_hooks()
        told.add(type(error).__name__)
print(sorted(told))
"""


def test_what_a_call_asks_of_files_is_told_or_there_is_no_memory() -> None:
    pytest.importorskip("_testcapi")
    run = subprocess.run([sys.executable, "-c", ASKING], capture_output=True, text=True, check=True)
    assert run.stdout == "['MemoryError', 'NoneType']\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs fork")
def test_what_becomes_of_short_memory_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("_testcapi")
    asformat = sa.Array.asformat
    monkeypatch.setattr(sa.Array, "asformat", _once_wrong(asformat))
    found = turns(program("t0 = a0.sum()"), "python", 12, 1)
    assert any(one.startswith(WRONG) and "ValueError: unlike" in one for one in found)
