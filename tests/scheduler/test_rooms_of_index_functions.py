"""Values that depend on an index are nowhere a fill: results with room for all of them."""

import numpy as np
import pytest

import structarr as sa
from structarr.errors import ProgramError
from structarr.formats import Level, RunList, SparseBand, SparseList

M = np.array([[0.0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]])
F = np.array([3, 1, 0, 2])
ROW, COLUMN = np.ogrid[:4, :4]
FORMATS: dict[str, str | Level] = {
    "csr": "csr",
    "dcsr": "dcsr",
    "rle": "rle",
    "band": "band",
    "lists in a band": SparseBand(SparseList()),
    "runs of lists": RunList(SparseList()),
}
ASKED: dict[str, str | Level | None] = {
    "nothing": None,
    **FORMATS,
    **{name: name for name in ("sparse-rle", "packbits", "vbl", "hash", "coo")},
    "lists of runs": SparseList(RunList()),
    "runs of runs": RunList(RunList()),
}
PROGRAMS: dict[str, np.ndarray] = {
    "y[i, j] = M[j, i] - j": M.T - COLUMN,
    "y[i, j] = M[i, j] - i": M - ROW,
    "y[i, j] = M[i, j] + j": M + COLUMN,
    "y[i, j] = M[i, j] * i + M[j, i]": M * ROW + M.T,
    "y[i, j] = (M[i, j] - i) * M[j, i]": (M - ROW) * M.T,
    "y[i, j] = M[i, F[j]]": M[:, F],
    "y[i, j] = where(i < 2, M[i, j], M[j, i] - i)": np.where(ROW < 2, M, M.T - ROW),
    "for i in range(4):\n  if i != 1:\n    for j in range(4):\n      y[i, j] = M[i, j] + 1": (
        np.where(ROW != 1, M + 1, 0)
    ),
}


def check(program: str, format: str | Level, asked: str | Level | None) -> None:
    """Run a program with its result in a format, unless that cannot be written in order."""
    given = {"M": sa.asarray(M).asformat(format), **({"F": F} if "F" in program else {})}
    try:
        result = sa.loops(program, out=asked, **given)
    except ProgramError as error:
        assert "cannot be written" in str(error)
        return
    np.testing.assert_array_equal(np.asarray(result), PROGRAMS[program])


@pytest.mark.parametrize("asked", ["nothing", "csr", "rle", "coo"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_functions_of_indices_beside_lists(program: str, asked: str) -> None:
    with sa.options(tier="interpreted"):
        check(program, FORMATS["lists in a band"], ASKED[asked])
        check(program, "csr", ASKED[asked])


@pytest.mark.long
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_functions_of_indices_in_all_formats(program: str, format: str, asked: str) -> None:
    with sa.options(tier="interpreted"):
        check(program, FORMATS[format], ASKED[asked])


def test_what_is_nowhere_a_fill_is_no_list() -> None:
    B = sa.asarray(M).asformat(SparseBand(SparseList()))
    with sa.options(tier="interpreted"):
        assert sa.loops("y[i, j] = B[i, j] - i", B=B).format == "rle"
        assert sa.loops("y[i, j] = B[i, j] * i", B=B).format == SparseBand(SparseList())
