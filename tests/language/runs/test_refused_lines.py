"""Lines that no program over runs may have: each is refused by what it says and where."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import runs
from structarr._language.runs.call import LoopCall
from structarr._language.runs.kinds import Rows
from structarr._language.runs.lifted import source_of as loops_source
from structarr._language.runs.loop_kernel import LoopKernel, Site
from structarr.errors import ProgramError

A = np.array([[1, 1, 0, 3], [0, 2, 2, 2]])


def nothing(x: int) -> None:
    pass


def either(x: int) -> Any:
    if x > 1:
        return 1
    return 0.5


def falls_through(x: int) -> Any:  # noqa: RET503 - this is what is refused
    if x > 1:
        return 1
    x = 2


def over_rows(a: Any) -> int:
    for _start, _stop, value in runs(a[0]):
        return value
    return 0


def any_number(*args: int) -> int:
    return 1


def first(a: Any, b: Any) -> int:
    a[0] = b[0]
    return 1


def _program(line: str) -> Callable[..., Any]:
    """A program whose loop over runs has some lines."""
    text = (
        "def program(A, S, t, scalar):\n"
        "    total, found, flat = 0, sa.zeros(A.shape, dtype=np.int64), sa.zeros((), dtype=int)\n"
        "    for start, stop, value in runs(A[0]):\n"
        + "".join([f"        {one}\n" for one in line.split("\n")])
        + "    return total\n"
    )
    name = f"<refused {line}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names = {"sa": sa, "np": np, "runs": runs, "ours": sa.asarray(A, format="csr"), "fixed": 3}
    names |= {one.__name__: one for one in (nothing, either, falls_through)}
    names |= {one.__name__: one for one in (any_number, first, over_rows)}
    exec(compile(text, name, "exec"), names)  # a function of its own text, as a user's is
    return names["program"]  # type: ignore[return-value]


LINES = {
    "import os": "this statement is not supported in programs over runs",
    "return total": "a loop does not return",
    "with total: pass": "`with` stands around the loop",
    "try: total = 1\nfinally: total = 2": "`try` stands around the loop",
    "def inner(): pass": "define functions outside of the program",
    "total: int = 1": "an annotation is not supported",
    "total, value = 1, 2, 3": "this is no expression of programs over runs",
    "(total, value), t = 1, 2": "assign to a name or an element, one at a time",
    "total = nothing(value)": "the function returns nothing that could be assigned",
    "S = S[0, 0]": "S is an array or function: use another name",
    "a__b = 1": "a__b: names with two underscores are taken",
    "nothing[0, start:stop] = 1": "nothing is no array",
    "A[0, start:stop] = 1": "A holds something already",
    "found[0, start:] = value": r"a run is written `found\[i, start:stop\] = value`",
    "S.size += 1": "update a name or an element",
    "total @= 2": "this update is not supported",
    "found[0, start:stop] += 1": "a stretch of one of NumPy.s arrays is read where another is",
    "S[0, 0:2] = S[0, 0:2] if t else S[1, 0:2]": "stretches are combined element by element",
    "S[0, 0:2] = not S[1, 0:2]": "stretches are combined element by element",
    "S[0, 0:2] = 0 < S[1, 0:2] < 3": "stretches are combined element by element",
    "S[0, 0:2] = min(S[1, 0:2], 1)": "stretches are combined element by element",
    "S[0, 0:2] = S[0, S[1, 0:1]]": "stretches are combined element by element",
    "S[0, 0:2] = S[1, S[0, 0:1] : 2]": "stretches are combined element by element",
    "S[0, 0:2] = S[1, 0:2:1]": r"a run is written `S\[i, start:stop\] = value`",
    "S[0, 0:2] = S[1, 0:2] * 0.5": "a float does not go into int64",
    "total = S[0, 0:2]": "a stretch of one of NumPy.s arrays is read where another is written",
    "found[0, 0:2] = S[0, 0:2]": "a stretch of one of NumPy.s arrays is read where another is",
    "for k in S: total += 1": r"loops are over `range\(stop\)`",
    "for k in range(0, 9, 3): total += 1": r"loops are over `range\(stop\)`",
    "for a, b, c in runs(scalar[0]): total += 1": "a number has no runs",
    "for a, b, c in runs(nothing): total += 1": "function is no array",
    "total = either(value)": "a function returns one kind of number everywhere",
    "total = falls_through(value)": "end the function by a `return`",
    "total = any_number(value)": "any_number is no plain function of 1 arguments",
    "total = over_rows(S)": "a has no runs",
    "total = first(S, S)": "a function takes each array once",
    "total = value if [1] else 2": "this is no expression of programs over runs",
    "total = strange": "strange is not known here",
    "total = S": "S is no number",
    "total = (S + S)[0]": "only an array that has a name can be indexed",
    "total = value[0]": "value is no array here",
    "total = S.size": "the attribute .size is not supported here",
    "total = S.shape[2]": "S has no axis 2",
    "total = value ** 3": r"whole numbers are only squared: write `x \*\* 2`",
    "total = S[0.5, 0]": "an index or bound must be a whole number",
    "total = S[0]": "S has 2 axes: it is indexed by 2 here, not 1",
    "total = -(value > 1)": "arithmetic is for numbers, not for conditions",
    "total = (value > 1) + 1": "arithmetic is for numbers, not for conditions",
    "total = value @ value": "this operator is not supported in programs over runs",
    "total = value & 0.5": "bits are those of whole numbers",
    "total = value // 0.5": "`//` and `%` are for whole numbers here",
    "total = value in S": "S is no number",
    "total = 1 if value is 1 else 0": "compare by ==, !=, <, <=, > or >=",
    "total = (lambda: 1)()": "only a function that has a name can be called",
    "total = max(value, 1, key=2)": "keyword arguments are not supported here",
    "flat[start:stop] = 1": "flat has no axis of runs",
    "total = t[0]": r"t has no axes: give the number itself, t\[\(\)\]",
    "ours[0, 0] = 1": "ours is an array of structarr, whose elements cannot be set one by one",
    "total = ours[0, 0]": "ours is stored as csr, and a loop reads its elements one by one",
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("line", LINES)
def test_lines_that_are_refused(line: str) -> None:
    program = _program(line)
    arrays = sa.asarray(A), np.zeros((2, 3), np.int64), np.array(1), sa.asarray(2)
    with pytest.raises((ProgramError, TypeError, ValueError), match=LINES[line]):
        sa.kernel(program)(*arrays)
    assert np.array_equal(arrays[0].todense(), A) and not arrays[1].any()


def test_runs_that_their_positions_cannot_count() -> None:
    """Rooms grow as they fill; no test has the memory to fill one of 2**31 runs."""
    source = loops_source(_program("total += 1"))
    kernel = LoopKernel(None, (), (Site("room found", source.body[0], source),), ())  # type: ignore[arg-type]
    call = LoopCall(kernel, {"found": Rows(2, "int64", "int32", True)}, {}, {"found": (99, 9)})
    begun = {"found": (None, None, None, None, (1 << 28, 8), 0)}
    rooms = {"found": 1 << 22}
    for room in (11 << 22, 121 << 22, (1 << 31) - 1):  # as much as all rows take
        call._make_room(IndexError(0, 0, 0), rooms, begun)
        assert rooms["found"] == room
    with pytest.raises(OverflowError, match="found has more runs than its positions can count"):
        call._make_room(IndexError(0, 0, 0), rooms, begun)


def test_a_program_is_a_function() -> None:
    async def waits(A: Any) -> None:
        for _ in runs(A[0]):
            pass

    with pytest.raises(ProgramError, match="write `def`, and the loops under it"):
        sa.kernel(waits)
