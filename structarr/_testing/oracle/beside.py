"""A witness of kernels that computes every call a second time, by the oracle."""

from __future__ import annotations

from math import prod

import numpy as np

from structarr._compiler.ir.show import show
from structarr._compiler.options import current
from structarr._execute.program_choice import Call
from structarr._storage.dense import to_dense
from structarr._testing.oracle.calls import results
from structarr.formats.entries import Array


class Beside:
    """
    A witness that compares the results of kernels with the oracle's.

    Parameters
    ----------
    most : int
        How many times the innermost statement of a call may run; longer ones are left out.

    Attributes
    ----------
    compared, left_out : int
        How many calls were compared, and how many were too long, or not finite under rules that
        are not strict.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr._testing.forcing import by_each_program
    >>> a = sa.asarray([[0.0, 2.0], [1.0, 0.0]], format="csr")
    >>> beside = Beside()
    >>> [product.todense().tolist() for product in by_each_program(lambda: a @ a, beside)]
    [[[2.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 2.0]]]
    >>> beside.compared
    2
    """

    def __init__(self, most: int = 20_000) -> None:
        self.most = most
        self.compared = self.left_out = 0

    def __call__(self, call: Call) -> None:
        """Compare a call.

        Raises
        ------
        AssertionError
            If a result is not the oracle's, with the program.
        """
        if prod(call.given.extents) > self.most:
            self.left_out += 1
            return
        wanted = results(call.program, call.given, call.starts)
        if not (wanted.finite or current().strict_ieee):
            self.left_out += 1
            return
        self.compared += 1
        for output, got, want in zip(
            call.program.outputs, call.results, wanted.arrays, strict=True
        ):
            if not _agree(to_dense(got), want):
                raise AssertionError(
                    f"the kernel of this program gives {output.tensor.name} as\n{to_dense(got)}\n"
                    f"and the oracle\n{want}\n{show(call.program.stmt)}"
                )


def _agree(got: Array, want: Array) -> bool:
    """Whether arrays are equal; of floats, but for the order of sums."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if got.dtype.kind in "biu":
        return bool(np.array_equal(got, want))
    epsilon = float(np.finfo(got.dtype).eps)
    finite = np.abs(want[np.isfinite(want)])
    around = 64 * epsilon * float(finite.max(initial=0.0))
    with np.errstate(all="ignore"):
        return bool(np.allclose(got, want, rtol=64 * epsilon, atol=around, equal_nan=True))
