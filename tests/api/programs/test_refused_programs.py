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
}


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_said(call: str) -> None:
    kind, said = REFUSED[call]
    with pytest.raises(kind) as caught:
        eval(call, dict(NAMES))
    assert type(caught.value) is kind
    assert str(caught.value).startswith(said)
