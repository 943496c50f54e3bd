"""Views and joined arrays: what they check."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import structarr as sa

DENSE = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])


@pytest.fixture
def csr() -> sa.Array:
    return sa.asarray(scipy.sparse.csr_array(DENSE))


def test_views_check_their_arguments(csr: sa.Array) -> None:
    for call, message in (
        (lambda: np.transpose(csr, (0, 0)), "repeated|axes"),
        (lambda: np.transpose(csr, (0,)), "axes don't match array"),
        (lambda: np.squeeze(csr, 0), "size not equal to one"),
        (lambda: np.expand_dims(csr, 5), "out of bounds"),
        (lambda: np.broadcast_to(csr, (2, 2)), "could not be broadcast"),
        (lambda: np.broadcast_to(csr, (3,)), "could not be broadcast"),
        (lambda: np.swapaxes(csr, 0, 2), "out of bounds"),
        (lambda: np.moveaxis(csr, (0, 1), 0), "same number of elements"),
        (lambda: sa.matrix_transpose(sa.asarray([1])), "ndim < 2"),
        (lambda: np.reshape(csr, (4, 2)), "cannot reshape array of size 6"),
        (lambda: np.reshape(csr, (-1, -1)), "one unknown"),
        (lambda: np.reshape(csr, (-1, 4)), "cannot reshape"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_joining_checks_its_arguments(csr: sa.Array) -> None:
    for call, message in (
        (lambda: sa.concat([]), "at least one array"),
        (lambda: np.concatenate([csr, csr.T]), "along dimension 1"),
        (lambda: np.concatenate([csr, [1, 2]]), "same number of dimensions"),
        (lambda: np.concatenate([csr, csr], axis=2), "out of bounds"),
        (lambda: np.concatenate([sa.asarray(1), 2]), "zero-dimensional"),
        (lambda: np.stack([csr, csr.T]), "same shape"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="casting rule 'same_kind'"):
        np.concatenate([csr, csr], dtype="int8")


def test_difference_of_order_zero_is_the_array_itself() -> None:
    assert np.diff(sa.asarray(3.0), 0).item() == 3.0
    assert np.diff(sa.asarray([1, 2]), 0, axis=5, prepend=7).tolist() == [1, 2]
