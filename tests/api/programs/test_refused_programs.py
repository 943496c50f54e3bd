"""Programs that are refused: by which error, and what it says."""

import numpy as np
import pytest

import structarr as sa
from structarr import errors

NAMES = {
    "np": np,
    "sa": sa,
    "a": sa.asarray(np.arange(6.0).reshape(2, 3), format="csr"),
    "x": np.arange(3.0),
}

REFUSED = {
    "sa.permit(-1)": (
        IndexError,
        "an index that is permitted to be outside needs the compiler: use",
    ),
    'sa.loops("y[i] = x[i]", x=x, out={"z":"list"})': (
        errors.ProgramError,
        "out= names z, which the program does not write",
    ),
    'sa.loops("y[i] = x[i]", x=x, q=1)': (TypeError, "the program has no name 'q': it has y, i, x"),
    'sa.loops("y[i] = x[i]", x=x, extents={"q":3})': (
        errors.ProgramError,
        "extents= names q, which is no free index of the program",
    ),
    'sa.loops("y[i] = x[i]", x=x, order="ij")': (
        errors.ProgramError,
        "order= names j, which is no free index of the program",
    ),
    'sa.loops("y[i] = x[i]", x=x, order="j")': (
        errors.ProgramError,
        "order= must name each of i once, not j",
    ),
    'sa.loops("for i in range(3):\\n    y[i] = z = x[i]", x=x)': (
        errors.ProgramError,
        "assign to one target at a time",
    ),
    'sa.loops("for i in range(3):\\n    pass", x=x)': (
        TypeError,
        "the program has no name 'x': it has ",
    ),
    'sa.loops("pass")': (
        errors.ProgramError,
        "the program writes nothing: assign a result, as in `y[i] = 2 * x[i]`",
    ),
    'sa.loops("y[gallop(i)] = x[i]", x=x)': (
        errors.ProgramError,
        "a protocol is for reading: index a result without it",
    ),
    'sa.loops("y = 2\\ny[i] = x[i]", x=x)': (errors.ProgramError, "too many indices: y has 0 axes"),
    'sa.loops("y[i] = missing", x=x, extents={"i":3})': (
        TypeError,
        "the program has no name 'x': it has y, i",
    ),
    'sa.loops("y[i] = walk(x[i])", x=x)': (
        errors.ProgramError,
        "`walk` is for an index, as in `A[walk(i)]`",
    ),
    'sa.loops("y[i] <<nope>>= x[i]", x=x)': (
        errors.ProgramError,
        "there is no operator nope: use one of NumPy's ufuncs, or declare it",
    ),
    'sa.loops("y[i] = a[i]", a=a)': (errors.ProgramError, "a has 2 axes, and is read with 1 index"),
    'sa.loops("for i in range(x[0]):\\n    y[i] = 1", x=x)': (
        errors.ProgramError,
        "a loop's bounds are made of whole numbers, lengths and indices of",
    ),
    'sa.loops("y[i] = [x[i]]", x=x)': (
        errors.ProgramError,
        "a list is no value: pass the values as an array",
    ),
    'sa.loops("y[i], z[i] = x[i], x[i]", x=x)': (
        errors.ProgramError,
        "assign to one target at a time; `m, n = A.shape` and `s, t = 0.0,",
    ),
    'sa.loops("[y, z] = a.shape", a=a)': (errors.ProgramError, "assign to one target at a time"),
    'sa.loops("for i in range(3):\\n    pass")': (
        errors.ProgramError,
        "the program writes nothing: assign a result, as in `y[i] = 2 * x[i]`",
    ),
    'sa.loops("y[i] = n[i]", n=3)': (
        errors.ProgramError,
        "n is not known here: it is no array among the arguments",
    ),
    'sa.loops("y[i] = x[i]\\nfor j in range(q.shape[0]):\\n    z[j] = y[j]", x=x)': (
        errors.ProgramError,
        "the shape of q is not known: make it first",
    ),
    'sa.loops("y = np.zeros(z.shape)\\ny[i] = x[i]", x=x)': (
        errors.ProgramError,
        "the shape of z is not known: make it first",
    ),
    'sa.loops("y = np.zeros(s)\\ny[i] = x[i]", x=x, s=1.5)': (
        errors.ProgramError,
        "a length must be a whole number or the length of an axis",
    ),
    'sa.loops("y = np.full(3, s)\\ny[i] += x[i]", x=x, s=1.5)': (
        errors.ProgramError,
        "an array is made of a literal, as in `np.full(n, 2.0)`",
    ),
    'sa.loops("y = np.full(3, x[0])\\ny[i] += x[i]", x=x)': (
        errors.ProgramError,
        "an array is made of a literal, as in `np.full(n, 2.0)`",
    ),
    'sa.loops("c = np.full(3, s)\\ny[i] = c[i]", s=1.5)': (
        errors.ProgramError,
        "an array is made of a literal, as in `np.full(n, 2.0)`",
    ),
    'sa.loops("for i in range(2):\\n    t += x[i]\\n    y[i] = t", x=x)': (
        errors.ProgramError,
        "t is read while it is being made: only its update",
    ),
    "sa.loops(turns('t = 0.0', 't += a[i, j]', 't *= a[i, j]', 'y[i] = t'), a=a)": (
        errors.ProgramError,
        "t is updated by more than one operator: use a name for each",
    ),
    "sa.loops(turns('w = np.zeros((3, 3))', 'w[j, j] += a[i, j]', 'y[i, j] = w[j, j]'), a=a)": (
        errors.ProgramError,
        "a temporary within loops has one axis at most: make it before the loops",
    ),
    "sa.loops(turns('w = np.zeros(7)', 'w[j] += a[i, j]', 'y[i, j] = w[j]'), a=a)": (
        errors.ProgramError,
        "a temporary must be as long as a loop over it: make it of that loop's length",
    ),
    "sa.loops(turns('w = np.full(3, a[i, 0])', 'w[j] += a[i, j]', 'y[i, j] = w[j]'), a=a)": (
        errors.ProgramError,
        "an array is made of a literal, as in `np.full(n, 2.0)`",
    ),
    "sa.loops(turns('w = np.zeros(3)', 'w = a[i, j]', 'y[i, j] = w[j]'), a=a)": (
        errors.ProgramError,
        "w is an array: write an element, w[i]",
    ),
    "sa.loops(turns('w = np.zeros(3)', 'w[j] += a[i, j]', 'y[i, j] = w[j, j]'), a=a)": (
        errors.ProgramError,
        "w has 1 axis, not 2",
    ),
    "sa.loops(turns('y[i] += a[i, 0]', 'y[i, j] += a[i, j]'), a=a)": (
        errors.ProgramError,
        "y has 2 axes, not 1",
    ),
    'sa.loops("y[i] = x[i] + missing", x=x)': (
        errors.ProgramError,
        "`missing` can only be an argument of `coalesce`",
    ),
    'sa.loops("y[i] ^= x[i]", x=x)': (
        errors.ProgramError,
        "bitwise_xor is not defined for float64, float64",
    ),
    'sa.loops("y[i] /= x[i]", x=x)': (
        errors.ProgramError,
        "divide has no identity to begin with: make the result first",
    ),
    **{
        f"sa.loops('y[i] = ' + {sign!r} * {times} + 'x[i]', x=x)": (
            errors.ProgramError,
            "this nests too deeply: split it into several statements",
        )
        for sign, times in (("-", 300), ("-", 600), ("-", 5000), ("x[i] + ", 4000))
    },
    'sa.loops("y[i] = x[edge(reflect(i + 1))] + x[i]", x=x)': (
        errors.ProgramError,
        "an index under edge and reflect: keep one",
    ),
}


def turns(first: str, inner: str, *after: str) -> str:
    """A loop over i, in which one over j stands between some statements."""
    lines = ["for i in range(2):", f"    {first}", "    for j in range(3):", f"        {inner}"]
    for line in after:
        loops = ["    for j in range(3):", f"        {line}"] if "j]" in line else [f"    {line}"]
        lines += [f"        {line}"] if "*=" in line else loops
    return "\n".join(lines)


NAMES["turns"] = turns


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_said(call: str) -> None:
    kind, said = REFUSED[call]
    with pytest.raises(kind) as caught:
        eval(call, dict(NAMES))
    assert type(caught.value) is kind
    assert str(caught.value).startswith(said)
