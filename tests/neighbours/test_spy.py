"""`spy`: pictures of structure by Matplotlib."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import structarr as sa


def test_a_cell_is_shaded_where_something_is_stored() -> None:
    ax = sa.spy(sa.asarray(np.diag([1.0, 0.0, 3.0]), format="csr"), plt.figure().subplots())
    (image,) = ax.images
    np.testing.assert_array_equal(np.asarray(image.get_array()) > 0, np.diag([1, 0, 1]) > 0)
    assert ax.get_title() == "csr (3, 3): 2 stored"
    assert ax.get_xlabel() == "elements one by one"


def test_large_arrays_are_binned_and_never_dense() -> None:
    ax = sa.spy(sa.eye(10**6), plt.figure().subplots(), bins=64)
    (image,) = ax.images
    assert image.get_array().shape == (64, 64)
    assert tuple(image.get_extent()) == (-0.5, 10**6 - 0.5, 10**6 - 0.5, -0.5)


def test_one_axis_is_a_strip() -> None:
    ax = sa.spy(sa.asarray([0, 3, 3, 0], format="rle"), plt.figure().subplots())
    assert (np.asarray(ax.images[0].get_array()) > 0).tolist() == [[False, True, True, False]]


def test_a_picture_of_some_says_so() -> None:
    ax = sa.spy(sa.eye(1000).asformat("csr"), plt.figure().subplots(), most=10)
    assert ax.get_title().endswith("(some of them drawn)")


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="with axes"):
        sa.spy(3.5)
    with pytest.raises(ValueError, match="at least 1"):
        sa.spy([1.0], bins=0)
