"""Programs that went wrong once, each against what plain Python makes of it."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError

X = np.array([1.0, 0.0, 0.0, 5.0])
OPERANDS = {
    "x": X,
    "ones": np.array([1.0, 1.0, 7.0, 1.0]),
    "g": np.zeros(4, int),
    "f": np.array([0, -1, 3, 9]),
    "h": np.array([3, 2, 0, 1]),
    "D": np.diag(X),
}
FORMATS = {
    "x": ("dense", "list", "rle"),
    "ones": ("dense", "list", "rle"),
    "g": ("dense", "constant"),
    "D": ("dense", "csr", "dcsr", "band"),
}

BODIES = {
    "a temporary that nobody reads": """
        y = np.zeros(4)
        for i in range(4):
            t = 0.0
            for j in range(4):
                t += x[j]
            y[i] = x[i]
    """,
    "an array that is made again": """
        y = np.zeros(4)
        for i in range(4):
            y[i] += x[i]
        w = np.zeros(4)
        for i in range(4):
            w[i] += y[i]
        y = np.zeros(4)
        for i in range(4):
            y[i] += w[i]
    """,
    "an array that is made and only read": """
        w = np.ones(4)
        s = 2.0
        y = np.zeros(4)
        for i in range(4):
            y[i] += s * w[i] * x[i]
    """,
    "what was written becomes zero": """
        y = np.zeros(4)
        for i in range(4):
            y[i] = x[i] + 1
            if i > 1:
                y[i] = 0
    """,
    "a sum of what is a fill that counts": """
        y = np.zeros(4)
        for i in range(4):
            y[i] += ones[i]
    """,
    "a product with what is not stored": """
        y = np.ones(4)
        for i in range(4):
            y[i] *= x[i]
    """,
    "a strided list of which the first entry is not read": """
        y = 0.0
        for i in range(2):
            t = 0.0
            for j in range(0):
                if ones[2*i + 1] != 1:
                    t += j
            y += 0.5
    """,
    "a diagonal by a protocol": """
        y = np.zeros(4)
        for i in range(4):
            y[i] += D[i, walk(i)]
    """,
    "a scatter to one place": """
        y = np.zeros(4)
        for i in range(4):
            y[g[i]] += x[i]
    """,
    "the default of an element that is there": """
        y = np.zeros(4, np.complex128)
        for i in range(4):
            y[i] = coalesce(D[i, i], 1)
    """,
    "a temporary that is filled and read at random": """
        y = np.zeros(4)
        for i in range(4):
            t = np.zeros(4)
            for j in range(4):
                if D[i, j] > 0:
                    t[h[j]] = D[i, j]
            for j in range(4):
                y[i] += t[i] * 2 + t[h[j]]
    """,
    "a temporary that one turn does not fill": """
        y = np.zeros(4)
        for i in range(4):
            t = np.zeros(4)
            for j in range(4):
                if i >= 1:
                    t[j] += x[i]
            for k in range(1):
                y[k] -= t[i]
    """,
    "one side of a choice is outside": """
        y = np.zeros(4)
        for i in range(4):
            y[i] = x[f[i]] if 0 <= f[i] and f[i] < 4 else -1.0
    """,
    "a condition that is decided before it would read outside": """
        y = np.zeros(4)
        for i in range(4):
            y[i] = 1.0 if 0 <= f[i] < 4 and x[f[i]] > 0 else 2.0
    """,
}


def plain(text: str, used: list[str]) -> np.ndarray:
    """What Python makes of it."""
    names = {"np": np, "walk": sa.walk, "coalesce": sa.coalesce}
    exec(text, names)
    return np.asarray(names["program"](*[OPERANDS[name] for name in used]))


def stored(name: str, at: int) -> sa.Array:
    """An operand in one of its formats."""
    formats = FORMATS.get(name, ("dense",))
    fill = 1.0 if name == "ones" else None
    return sa.asarray(OPERANDS[name], format=formats[at % len(formats)], fill_value=fill)


@pytest.mark.parametrize("case", BODIES)
def test_programs(case):
    body = BODIES[case].strip("\n").rstrip()
    used = [name for name in OPERANDS if f"{name}[" in body]
    lines = "\n".join(line.removeprefix("    ") for line in body.split("\n"))
    text = f"def program({', '.join(used)}):\n{lines}\n    return y\n"
    want = plain(text, used)
    for at in range(4):
        given = [stored(name, at) for name in used]
        with sa.options(tier="interpreted"):
            np.testing.assert_array_equal(sa.kernel(text)(*given).todense(), want)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("shift", [-2, -1, 7])
def test_a_scalar_does_not_count_from_the_end(tier, shift):
    with sa.options(tier=tier), pytest.raises(IndexError, match=f"index {shift} is out of bounds"):
        sa.loops("y[i] = x[c] + x[i]", x=X, c=shift)
    with sa.options(tier=tier):
        assert sa.loops("y[i] = x[-1] + 0 * x[i]", x=X).todense().tolist() == [5.0] * 4


def test_a_minimum_is_not_taken_of_what_wrapped_around() -> None:
    x = np.array([300, 5])
    with pytest.raises(ProgramError, match="int64 values do not go into y, which is int8"):
        sa.loops("y = np.zeros(2, np.int8)\ny[i] = min(y[i], x[i])", x=x)
    assert sa.loops("y = np.zeros(2, np.int8)\ny[i] += x[i]", x=x).tolist() == [44, 5]


@pytest.mark.parametrize(("line", "want"), [("k != k + 1", [3, 3]), ("k != k", [1, 2])])
def test_differences_of_indices_that_are_known(line: str, want: list[float]) -> None:
    z = sa.asarray([1.0, 2.0], format="ragged", fill_value=1.0)
    with sa.options(tier="interpreted"):
        assert sa.loops(f"y[k] = 3.0 if {line} else z[k]", z=z).todense().tolist() == want
