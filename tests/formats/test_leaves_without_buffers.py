"""Arrays whose leaf stores no values: what counts buffers, or reads the last, takes them too."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array, of_tensor
from structarr._execute import compute
from structarr._storage.tensor import Tensor
from structarr.formats import (
    Constant,
    Dense,
    Diagonals,
    Format,
    Hash,
    Level,
    Pattern,
    RunList,
    SparseBand,
    SparseList,
    SparseRunList,
    Triangular,
    parse,
)

SCATTERED = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0], [1, 0, 0, 1]], bool)
LEVELS: dict[str, tuple[Level, np.ndarray]] = {
    "csr": (Dense(SparseList()), SCATTERED),
    "dcsr": (SparseList(SparseList()), SCATTERED),
    "hash": (Dense(Hash()), SCATTERED),
    "intervals": (Dense(SparseRunList()), SCATTERED),
    "lists in a band": (SparseBand(SparseList()), SCATTERED),
    "rows of one list": (Constant(SparseList()), np.tile(SCATTERED[1], (4, 1))),
    "rows of runs of lists": (RunList(SparseList()), SCATTERED[[1, 1, 1, 3]]),
    "a triangle": (Dense(Triangular()), np.triu(np.ones((4, 4), bool))),
    "a diagonal": (Dense(Diagonals(offsets=(0,))), np.eye(4, dtype=bool)),
    "one value": (Constant(Constant()), np.ones((4, 4), bool)),
    "dense": (Dense(Dense()), np.ones((4, 4), bool)),
}
OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "product": lambda a: a @ a,
    "product with the transpose": lambda a: a @ a.T,
    "masked product": lambda a: (a @ a) * a,
    "product of numbers": lambda a: a.astype(float) @ a,
    "elementwise": lambda a: a & a.T,
    "with itself": lambda a: a & a,
    "numbers": lambda a: a * 2.5 + 1,
    "sum": lambda a: np.sum(a, axis=0),
    "part": lambda a: a[1:, ::2],
    "gathered": lambda a: a[np.array([2, 0])],
    "distinct": lambda a: np.unique(a),
    "diagonal": lambda a: np.diag(a[0]),
}


def without_values(name: str) -> tuple[np.ndarray, Array]:
    """A boolean matrix, and the same stored without its values."""
    root, data = LEVELS[name]
    if name == "rows of runs of lists":
        buffers = [0, 2], [3, 4], [0, 2, 4], [1, 2, 0, 3]
        bare = Format(RunList(SparseList(Pattern())), (0, 1))
        return data, of_tensor(Tensor.checked(bare, data.shape, np.False_, buffers))
    given = compute.value(sa.asarray(data).asformat(parse(root, 2))._node)
    bare = given.format.without(range(2), Pattern())
    tensor = Tensor.checked(bare, given.shape, np.False_, given.buffers[:-1])
    return data, of_tensor(tensor)


@pytest.mark.parametrize("name", LEVELS)
def test_operations_take_a_leaf_without_values(name: str) -> None:
    with sa.options(tier="interpreted"):
        data, array = without_values(name)
        for what, operation in OPERATIONS.items():
            np.testing.assert_array_equal(
                np.asarray(operation(array)), operation(data), err_msg=f"{what} of {name}"
            )


@pytest.mark.parametrize("limit", [8, 1 << 30])
@pytest.mark.parametrize("right", ["csr", "dcsr", "rows of one list"])
@pytest.mark.parametrize("left", ["csr", "dcsr", "rows of one list", "rows of runs of lists"])
def test_products_have_the_room_of_the_pairs_that_meet(left: str, right: str, limit: int) -> None:
    """Each with its values, too: where they are counted, other levels may repeat what is below."""
    for stored in (lambda array: array, lambda array: array.astype(np.int64).compute()):
        with sa.options(tier="interpreted"):
            (data, one), (others, other) = without_values(left), without_values(right)
            product = stored(one) @ stored(other)
        with sa.options(tier="interpreted", densify_limit=limit):
            found = product.asformat("csr").compute()
        np.testing.assert_array_equal(found.todense() != 0, data @ others)


def test_rows_of_one_list_are_counted_for_every_row() -> None:
    rows = np.tile([0.0, 1, 1, 0, 2], (5, 1))
    array = sa.asarray(rows).asformat(Format(Constant(SparseList()), (0, 1)))
    with sa.options(tier="interpreted"):
        for other in (array, array.asformat("csr")):
            product = (array @ other).asformat("csr")
            np.testing.assert_array_equal(product.todense(), rows @ rows)
