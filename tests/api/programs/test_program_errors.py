"""Programs that are wrong: what is said, in the user's terms, and where."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

A = np.arange(6.0).reshape(2, 3)
S = sa.asarray(A, format="csr")
x, z = np.arange(3.0), np.arange(2.0)
f = np.array([0, 2, 1])

# Each line with its operands: what is said, and what is underlined by carets.
LINES = {
    "an unknown array": (
        "y[i] += q[i] * x[i]",
        {"x": x},
        "q is not known here: it is no array among the arguments",
        "q[i]",
    ),
    "an unknown scalar": (
        "y[i] += c * x[i]",
        {"x": x},
        "c is not known here: it is no argument and no index",
        "c",
    ),
    "an unknown function": (
        "y[i] = twice(x[i])",
        {"x": x},
        "there is no function twice: use one of NumPy's ufuncs, or declare it by "
        "structarr.operator",
        "twice(x[i])",
    ),
    "an index for two lengths": (
        "y[i] += A[i, j] * z[j]",
        {"A": A, "z": z},
        "index j runs over axis 1 of A, of length 3, and over axis 0 of z, of length 2: "
        "they must agree",
        "z[j]",
    ),
    "an unknown extent": (
        "y[i] += x[j + 1] * x[i]",
        {"x": x},
        "the extent of index j is not known, since no array is read or made at j alone: "
        "give extents={'j': n}, or write the loop `for j in range(n)`",
        "x[j + 1]",
    ),
    "an unbound index": (
        "y[i, k] += x[i]",
        {"x": x},
        "the extent of index k is not known, since no array is read or made at k alone: "
        "give extents={'k': n}, or write the loop `for k in range(n)`",
        "y[i, k]",
    ),
    "an unknown length of a result": (
        "y[i + 1] = x[i]",
        {"x": x},
        "the length of axis 0 of y is not known: make it first, as in `y = np.zeros(n)`, "
        "or give out=",
        "y[i + 1]",
    ),
    "reading what is updated": (
        "y[i] += y[i] * x[i]",
        {"x": x},
        "y is read while it is being made: only its update, as in `y[i] += x`, reads it; "
        "make another array first, and read that",
        "y[i]",
    ),
    "too few indices": (
        "y[i] += A[i]",
        {"A": A},
        "A has 2 axes, and is read with 1 index",
        "A[i]",
    ),
    "too many indices": (
        "y[i] += A[i, j, j]",
        {"A": A},
        "too many indices: A has 2 axes",
        "A[i, j, j]",
    ),
    "a float index": (
        "y[i] = x[z[i]]",
        {"x": x, "z": z},
        "an index must be a whole number, not float64",
        "z[i]",
    ),
    "an index that is divided": (
        "y[i] = x[i] + x[i / 2]",
        {"x": x},
        "an index must be a whole number, not float64: divide by `//`, which rounds down",
        "i / 2",
    ),
    "an array as a scalar": (
        "y[i] = 2 * x + x[i]",
        {"x": x},
        "x is an array: read an element, x[i]",
        "x",
    ),
    "a place in a slice": (
        "y[i] = x[1:]",
        {"x": x},
        "a slice is not supported: loop over an index, as in `A[i]`, with `A[i + 1]` to "
        "shift it and `A[2*i]` to skip",
        "1:",
    ),
}


def shown(message: str, said: str, line: int, column: int, text: str, marked: str) -> None:
    """The parts of a message: what is said, the place, the line and the carets under a part."""
    told, where, *rest = message.split("\n")
    assert told == said
    assert where.endswith(f"line {line}, column {column}")
    assert rest[0].strip() == text.strip()
    start, indent = rest[1].index("^"), len(rest[0]) - len(rest[0].lstrip())
    carets = rest[1].strip()
    assert rest[0][start : start + len(carets)] == marked
    assert column == start - indent + 1 + len(text) - len(text.lstrip())


@pytest.mark.parametrize("case", LINES)
def test_lines(case):
    text, operands, said, marked = LINES[case]
    with pytest.raises(ProgramError) as caught:
        sa.loops(text, **operands)
    column = int(str(caught.value).split("column ")[1].split("\n")[0])
    shown(str(caught.value), said, 1, column, text, marked)


# Each body of a function of A (two axes), x (one) and c (a number); the line of what is wrong.
BODIES = {
    "an unbound index": (
        """
        y = np.zeros(3)
        for i in range(3):
            y[i] += x[k]
        """,
        "k is not known here: it is no argument and no index",
        3,
        "k",
    ),
    "an index after its loop": (
        """
        y = np.zeros(3)
        for i in range(3):
            y[i] += x[i]
        for j in range(3):
            y[i] += x[j]
        """,
        "i is the index of another loop, which has no value here",
        5,
        "i",
    ),
    "an index assigned to": (
        """
        y = np.zeros(3)
        for i in range(3):
            i = 2
            y[i] += x[i]
        """,
        "i is the index of a loop: assign to another name",
        3,
        "i = 2",
    ),
    "two loops of one index": (
        """
        y = np.zeros(3)
        for i in range(3):
            for i in range(2):
                y[i] += x[i]
        """,
        "i is the index of a loop around this one: use another name",
        3,
        "for i in range(2):",
    ),
    "two operators": (
        """
        y = np.zeros(3)
        for i in range(3):
            y[i] += x[i]
            y[i] *= 2
        """,
        "y is updated by add and by multiply: a result has one operator; write to two results "
        "and combine them",
        4,
        "y[i] *= 2",
    ),
    "reading another element of what is updated": (
        """
        y = np.zeros(3)
        for i in range(1, 3):
            y[i] = y[i - 1] + x[i]
        """,
        "y is read while it is being made: only its update, as in `y[i] += x`, reads it; make "
        "another array first, and read that",
        3,
        "y[i - 1]",
    ),
    "too many indices of a result": (
        """
        y = np.zeros((3, 3))
        for i in range(3):
            y[i, i, i] += x[i]
        """,
        "too many indices: y has 2 axes",
        3,
        "y[i, i, i]",
    ),
    "an extent that is no whole number": (
        """
        y = np.zeros(3)
        for i in range(c):
            y[i] += x[i]
        """,
        "a loop's bounds are made of whole numbers, lengths and indices of loops around it",
        2,
        "c",
    ),
    "an axis that is not there": (
        """
        y = np.zeros(A.shape[2])
        for i in range(3):
            y[i] += x[i]
        """,
        "A has 2 axes, no axis 2",
        1,
        "A.shape[2]",
    ),
    "a length below zero": (
        """
        y = np.zeros(len(x) - 5)
        for i in range(3):
            y[i] += x[i]
        """,
        "a length must not be negative: -2",
        1,
        "y = np.zeros(len(x) - 5)",
    ),
    "values that do not fit": (
        """
        y = np.zeros(3, np.int8)
        for i in range(3):
            y[i] += x[i]
        """,
        "float64 values do not go into y, which is int8",
        3,
        "y[i] += x[i]",
    ),
}


@pytest.mark.parametrize("case", BODIES)
def test_functions(case):
    body, said, line, marked = BODIES[case]
    lines = [one.removeprefix("    ") for one in body.strip("\n").split("\n")[:-1]]
    text = "\n".join(["def program(A, x, c):", *lines, "    return y"])
    with pytest.raises(ProgramError) as caught:
        sa.kernel(text)(A, x, 1.5)
    found = lines[line - 1]
    column = len(found) - len(found.lstrip()) + found.strip().index(marked) + 1
    if case == "an unbound index":
        column = found.index("[k]") + 2
    if case == "an index after its loop":
        column = found.index("[i]") + 2
    shown(str(caught.value), said, line + 1, column, found, marked)


def test_a_write_that_is_not_concordant():
    text = "for j in range(A.shape[1]):\n    for i in range(A.shape[0]):\n        C[i, j] = A[i, j]"
    with pytest.raises(ProgramError, match="the write is not concordant") as caught:
        sa.loops(text, A=S, out="csr")
    assert "C cannot be written as csr by loops over j, i" in str(caught.value)


def test_a_format_that_what_is_given_does_not_have():
    stages = "for i in range(3):\n    y[i] = x[i]\nfor i in range(3):\n    y[i] += x[i]"
    for text, given in (("y[i] += x[i]", {"y": np.zeros(3)}), (stages, {})):
        with pytest.raises(ProgramError, match=r"convert it: \.asformat\('list'\)") as caught:
            sa.loops(text, x=np.ones(3), out="list", **given)
        assert "y begins as an array" in str(caught.value)


def test_a_format_that_is_written_in_order_and_twice():
    text = "for i in range(3):\n    y[i] = x[i]\n    y[2] = x[i]"
    with pytest.raises(ProgramError, match="such levels are written in order, by one assignment"):
        sa.loops(text, x=np.ones(3), out="list")


@pytest.mark.parametrize(
    "out", ["triu", sa.formats.Dense(sa.formats.SparseList(sa.formats.Pattern()))], ids=str
)
def test_a_format_that_does_not_hold_every_array(out):
    with pytest.raises(ProgramError, match="give no format, and convert the result with asformat"):
        sa.loops("C[i, j] |= A[i, j] != 0", A=S, out=out)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("y[i] = x[f[i]]", "index 7 is out of bounds for axis 0 of x, of length 3"),
        (
            "y[i] = x[f[i] - 8]",
            "index -8 is out of bounds for axis 0 of x, of length 3; in programs no index counts "
            "from the end",
        ),
        ("y[i] = x[i + 2]", "index 3 is out of bounds for axis 0 of x, of length 3"),
    ],
)
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_places_outside(text, said, tier):
    operands = {"x": x, "f": np.array([0, 7, 1])} if "f" in text else {"x": x}
    with sa.options(tier=tier), pytest.raises(IndexError) as caught:
        sa.loops(text, extents={"i": 3}, **operands)
    shown(str(caught.value), said, 1, 8, text, text.removeprefix("y[i] = "))


def test_arguments():
    program = sa.kernel("def f(x, w):\n    for i in range(len(x)):\n        y[i] = w * x[i]\n")
    with pytest.raises(TypeError, match="f lacks the arguments w"):
        program(x)
    with pytest.raises(TypeError, match="f takes 2 arguments, not 3: x, w"):
        program(x, 1.0, 2.0)
    with pytest.raises(TypeError, match="f has no parameter q"):
        program(x, q=1.0)
    with pytest.raises(TypeError, match="f got two values for x"):
        program(x, x=1.0)


@pytest.mark.parametrize("c", [-1, 300])
@pytest.mark.parametrize("line", ["y[i] = x[i] + c", "y[i] = min(x[i], c)"])
def test_integers_that_do_not_fit(c, line):
    with pytest.raises((ProgramError, OverflowError), match=f"{c} out of bounds for uint8"):
        sa.loops(line, x=np.array([3, 2], np.uint8), c=c)
    assert sa.loops(line, x=np.array([3, 2], np.uint8), c=np.int64(c)).dtype == np.int64


@pytest.mark.parametrize("text", ["y[i] = x[f[i]]", "y[i] = x[i + 1]", "y[i] = x[-i]"])
@pytest.mark.parametrize("format", ["dense", "constant"])
def test_places_outside_are_told_whatever_the_format(text, format):
    operands = {"x": sa.asarray([1.0, 1.0], format=format)}
    operands |= {"f": [1, 2]} if "f" in text else {}
    with sa.options(tier="interpreted"), pytest.raises(IndexError, match="is out of bounds for"):
        sa.loops(text, extents={"i": 2}, **operands)
