"""A program as users write it, with a mistake wherever a line ends with the word for it.

Type checkers find each mistake, and no other: `typed_mistakes.py` compares.
"""

# pyright: strict

from typing import assert_type

import numpy as np
import numpy.typing as npt

import structarr as sa
from structarr import Array, linalg

Vector = np.ndarray[tuple[int], np.dtype[np.float64]]

a = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr", fill_value=0)
b = sa.asarray(np.eye(2), dtype="float32")
x = np.ones(2)

# Results are arrays of ours, or what is given as `out`.
assert_type(a, Array)
assert_type(a + 1, Array)
assert_type(2 * a - b, Array)
assert_type(-a, Array)
assert_type(a < 3, Array)
assert_type(a @ x, Array)
assert_type(a[0], Array)
assert_type(a.T, Array)
assert_type(sa.multiply(a, b), Array)
assert_type(sa.exp(a), Array)
assert_type(sa.sum(a, axis=0), Array)
assert_type(a.sum(axis=(0, 1), keepdims=True), Array)
assert_type(a.astype("int8").max(initial=0), Array)
assert_type(sa.mean(a), Array)
assert_type(a.reshape(4), Array)
assert_type(a.transpose(1, 0).ravel(), Array)
assert_type(sa.concat([a, b], axis=1), Array)
assert_type(sa.where(a > 1, a, 0), Array)
assert_type(sa.where(a > 1), tuple[Array, ...])
assert_type(sa.unique(a), Array)
assert_type(sa.unique(a, return_counts=True), tuple[Array, ...])
assert_type(sa.atleast_2d(a), Array)
assert_type(sa.average(a, weights=b), Array)
assert_type(sa.average(a, returned=True), tuple[Array, Array])
assert_type(sa.intersect1d(a, b), Array)
assert_type(sa.gradient(a, axis=0), Array)
assert_type(sa.zeros((2, 3)), Array)
assert_type(sa.arange(10), Array)
assert_type(sa.einsum("ij,j->i", a, x), Array)
assert_type(sa.compute(a, b), tuple[Array, ...])
assert_type(linalg.solve(a, x), Array)
assert_type(linalg.svd(a).S, Array)
assert_type(linalg.svd(a, compute_uv=False), Array)
assert_type(linalg.qr(a, mode="r"), Array)
assert_type(sa.fft.fft(x), Array)
assert_type(a.asformat("dense"), Array)
assert_type(a.shape, tuple[int, ...])
assert_type(a.nnz, int)
assert_type(sa.formats.parse("mine", 2), sa.formats.Format)

target = np.empty(2)
assert_type(sa.sum(a, axis=0, out=target), Vector)
assert_type(a.sum(axis=0, out=target), Vector)
dense: npt.NDArray[np.generic] = a.todense()

with sa.options(threads=2, strict_ieee=True, tier="interpreted"):
    result = (a * b).sum()
sa.set_options(densify_limit=2**27)
print(result.item(), sa.options.current.threads, dense)


def doubled(value: Array) -> Array:
    return value * 2


print(doubled(a).nstored)

# Mistakes.
sa.asarray(x, format="crs")  # mistake
a.asformat("sparse")  # mistake
sa.sum(a, axes=0)  # mistake
a.sum(axis="0")  # mistake
sa.exp("text")  # mistake
sa.add(a)  # mistake
a.setdiag(1)  # mistake
print(a.data)  # mistake
a + "text"  # mistake
sa.options(thread=2)  # mistake
sa.options(tier="compield")  # mistake
sa.set_options(threads="two")  # mistake
sa.astype(a, "int8", casting="safely")  # mistake
sa.sort(a, kind="quick")  # mistake
sa.searchsorted(x, a, side="middle")  # mistake
sa.take(a, [0], mode="wrapped")  # mistake
sa.sum(a, out=a.shape)  # mistake
sa.where(a > 1, a)  # mistake
sa.zeros((2, 3.5))  # mistake
number: int = sa.sum(a)  # mistake
doubled(x)  # mistake
sa.random((2, 2))  # mistake
