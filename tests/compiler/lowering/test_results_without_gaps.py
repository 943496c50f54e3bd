"""Results in runs are told of what a program leaves alone: conditions, bounds, missing elements."""

import numpy as np
import pytest
from strategies import checked

import structarr as sa
from structarr.errors import ProgramError
from structarr.formats import Bitmap, Dense, Hash, Level, PackBits, RunList, SparseBand, SparseList

X = np.array([0.0, 2, 1, 0, 3])
M = np.array([[0.0, 0, 0, 0], [0, 2, 2, 0], [0, 0, 0, 0], [3, 0, 0, 1]])
ROW, COLUMN = np.ogrid[:4, :4]
LARGE = X[:4, None] > 1
WITHOUT_GAPS: dict[str, str | Level] = {
    "rle": "rle",
    "packbits": "packbits",
    "runs of runs": RunList(RunList()),
    "runs of lists": RunList(SparseList()),
    "runs of rows": RunList(Dense()),
    "lists of runs": SparseList(RunList()),
    "lists of packed bits": SparseList(PackBits()),
    "bands of runs": SparseBand(RunList()),
    "bitmaps of runs": Bitmap(RunList()),
    "hashed runs": Hash(RunList()),
}
VECTORS: dict[str, np.ndarray] = {
    "if x[i] > 2:\n    y[i] = x[i]": np.where(X > 2, X, 0),
    "if i > 2:\n    y[i] = x[i] + 1": np.where(np.arange(5) > 2, X + 1, 0),
    "if x[i] > 2:\n    y[i] += x[i]": np.where(X > 2, X, 0),
    "y[i] = x[permit(i + 1)]": np.append(X[1:], 0),
    "y[i] += x[permit(i + 1)]": np.append(X[1:], 0),
}
ROWS: dict[str, np.ndarray] = {
    "for j in range(4):\n    y[i] += M[i, j]": M.sum(1),
    "for j in range(4):\n    y[i] *= M[i, j]": M.prod(1),
    "for j in range(i):\n    y[i] += M[i, j]": np.tril(M, -1).sum(1),
    "if i != 1:\n    for j in range(4):\n      y[i] += M[i, j]": np.where(
        np.arange(4) != 1, M.sum(1), 0
    ),
}
MATRICES: dict[str, np.ndarray] = {
    "for j in range(i):\n    y[i, j] = M[i, j] + 1": np.where(COLUMN < ROW, M + 1, 0),
    "for j in range(i, 4):\n    y[i, j] = M[i, j] + 1": np.where(COLUMN >= ROW, M + 1, 0),
    "if i != 1:\n    for j in range(4):\n      y[i, j] = M[i, j] + 1": np.where(ROW != 1, M + 1, 0),
    "if x[i] > 1:\n    for j in range(4):\n      y[i, j] = M[i, j]": np.where(LARGE, M, 0),
    "if x[i] > 1:\n    for j in range(4):\n      y[i, j] += M[i, j]": np.where(LARGE, M, 0),
    "for j in range(4):\n    if M[i, j] > 1:\n      y[i, j] = M[i, j]": np.where(M > 1, M, 0),
    "for j in range(4):\n    y[i, j] = M[permit(i - 1), j]": np.pad(M[:-1], ((1, 0), (0, 0))),
    "for j in range(4):\n    y[i, j] += M[permit(i - 1), j]": np.pad(M[:-1], ((1, 0), (0, 0))),
    "for j in range(4):\n    for k in range(4):\n      y[i, j] += M[i, k] * M[j, k]": M @ M.T,
    "for j in range(4):\n    for k in range(4):\n      y[i, j] += M[i, j] * M[i, k] * M[j, k]": (
        M * (M @ M.T)
    ),
}


def check(body: str, wanted: np.ndarray, given: str, asked: str) -> None:
    """Run a program's loop over i, its result in a format without gaps."""
    read = {name: data for name, data in (("x", X), ("M", M)) if f"{name}[" in body}
    operands = {name: sa.asarray(data, format=given) for name, data in read.items()}
    with sa.options(tier="interpreted"):
        try:
            program = f"for i in range({len(wanted)}):\n  {body}"
            result = sa.loops(program, out=WITHOUT_GAPS[asked], **operands).compute()
        except ProgramError as error:
            assert "cannot be written" in str(error) or "length of axis" in str(error)
            return
    checked(result._tensor)
    found = result.todense()
    ends = tuple((0, most - n) for most, n in zip(wanted.shape, found.shape, strict=True))
    np.testing.assert_array_equal(np.pad(found, ends), wanted)


@pytest.mark.parametrize("given", ["list", "csf", "rle"])
def test_vectors_of_runs(given: str) -> None:
    for body, wanted in (VECTORS | ROWS).items():
        check(body, wanted, given, "rle")


@pytest.mark.parametrize("body", MATRICES)
def test_matrices_of_runs(body: str) -> None:
    for asked in ("rle", "runs of lists", "lists of runs"):
        check(body, MATRICES[body], "csf", asked)


@pytest.mark.long
@pytest.mark.parametrize("given", ["list", "csf", "rle", "dense", "coo", "vbl", "packbits"])
@pytest.mark.parametrize("asked", WITHOUT_GAPS)
def test_all_results_without_gaps(given: str, asked: str) -> None:
    for body, wanted in MATRICES.items():
        check(body, wanted, given, asked)
    for body, wanted in (VECTORS | ROWS).items():
        if asked in ("rle", "packbits"):
            check(body, wanted, given, asked)
