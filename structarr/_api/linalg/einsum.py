"""Einstein's summation: products of any operands, by the names of their axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from structarr._api.core.expressions import cast, derived_again, note_derived
from structarr._api.core.operands import as_array
from structarr._api.core.out import Out, deliver
from structarr._api.core.publish import publish
from structarr._api.linalg.contraction import contract
from structarr._api.linalg.semirings import Semiring, check_semiring
from structarr._api.linalg.subscripts import given, resolved
from structarr._array import Array
from structarr._lazy.contraction import Labels
from structarr._support import dtypes
from structarr._support.array_types import Casting, DTypeLike, Order


@publish(np.einsum)
def einsum(
    *operands: Any,
    out: Out | None = None,
    dtype: DTypeLike | None = None,
    order: Order = "K",
    casting: Casting = "safe",
    optimize: Any = False,
    semiring: Semiring | None = None,
) -> Out:
    """
    Return a sum of products by the Einstein summation convention.

    Parameters
    ----------
    *operands : str, array_like
        Subscripts and what they stand for: ``"ij,jk->ik", a, b``; or each operand and its list of
        subscripts, then perhaps that of the result: ``a, [0, 1], b, [1, 2], [0, 2]``. An ellipsis
        stands for axes without a name, which broadcast. A subscript that one operand has twice
        means its diagonal. Without a result's subscripts those are kept that occur once, in order.
    out : numpy.ndarray, optional
        NumPy array that takes the result and is returned.
    dtype : dtype_like, optional
        What to compute in; None stands for what promotion of the operands and `out` gives, however
        they are multiplied. Sums stay in it, as in NumPy.
    order : {"K", "C", "F", "A"}
        Accepted; how the result is stored follows from the structure.
    casting : {"safe", "same_kind", "unsafe", "no", "equiv"}
        How operands may be cast to `dtype`, and the result to that of `out`.
    optimize : bool, str or sequence
        As in NumPy: False gives one loop nest for all operands, in which nothing between them is
        stored; True, "greedy" or "optimal" multiplies three operands or more pair by pair, in an
        order that dense operands would be best with; or such an order, as `numpy.einsum_path`
        gives it.
    semiring : Semiring, optional
        What adds and multiplies, such as ``semirings.min_plus``.

    Returns
    -------
    Array
        Lazy, in a format that follows from the operands' by the rules of products and sums.
        Elements that a factor does not store are not visited, so that the time is proportional, at
        most, to the number of combinations of stored elements that meet.

    Raises
    ------
    TypeError
        If operands cannot be cast to `dtype`, or the result to that of `out`, or for no semiring.
    ValueError
        If subscripts and operands do not agree, `out` has not the shape, or there is no such order.

    See Also
    --------
    matmul : Products of matrices.
    loops : Programs that are no products.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([[0, 2], [3, 0]], format="csr")
    >>> sa.einsum("ij,j->i", a, [1, 10]).tolist()
    [20, 3]
    >>> sa.einsum("ij,jk->ik", a, a).format
    Layout('csr')
    >>> int(sa.einsum("ij,ij->", a, a + a))
    26
    """
    if order not in ("K", "C", "F", "A"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K', not {order!r}")
    key = "einsum", *operands[:1]
    is_text = bool(operands) and type(operands[0]) is str
    is_plain = is_text and out is None and dtype is None and semiring is None and not optimize
    if is_plain:  # most are: a look-up, where one like it was made
        values: list[Any] = [as_array(value) for value in operands[1:]]
        found = derived_again(key, values)
        if found is not None:
            return found  # type: ignore[return-value]
        operands = (operands[0], *values)
    inputs, wanted, values = given(operands)
    arrays = [as_array(value) for value in values]
    labels, result = resolved(inputs, wanted, tuple([array.shape for array in arrays]))
    checked = check_semiring(semiring)
    kinds = {array.dtype for array in arrays}
    if isinstance(out, np.ndarray) and checked is None:
        kinds.add(np.dtype(out.dtype.name))
    if dtype is not None or (len(kinds) > 1 and checked is None):
        kind = dtypes.check(np.result_type(*kinds) if dtype is None else dtype)
        arrays = [cast(x, kind, casting, f"operand {k}") for k, x in enumerate(arrays)]
        if isinstance(out, np.ndarray) and not np.can_cast(out.dtype, kind, casting):
            raise TypeError(
                f"Cannot cast out from {out.dtype!r} to {kind!r} by the rule {casting!r}"
            )
    path = _path(arrays, labels, result, optimize, checked)
    if len(path) == 1:
        made = contract(tuple(arrays), labels, result, checked)
        if is_plain and len(kinds) == 1:
            note_derived(key, made, arrays)
        return deliver(made, out, casting)
    return deliver(_along(path, arrays, list(labels), result, checked), out, casting)


def _path(
    arrays: Sequence[Array],
    labels: Sequence[Labels],
    result: Labels,
    optimize: Any,
    semiring: Semiring | None,
) -> list[tuple[int, ...]]:
    """The operands multiplied in each step, whose product then becomes the last operand."""
    every = tuple(range(len(arrays)))
    commutes = semiring is None or semiring.multiply.commutative
    if optimize is False or len(arrays) < 3 or not commutes:
        return [every]
    dummies = [np.broadcast_to(np.empty((), bool), array.shape) for array in arrays]
    path, _ = np.einsum_path(*_listed(dummies, labels, result), optimize=optimize)
    return [tuple(step) for step in path[1:]]


def _along(
    path: Sequence[tuple[int, ...]],
    arrays: list[Array],
    labels: list[Labels],
    result: Labels,
    semiring: Semiring | None,
) -> Array:
    for number, step in enumerate(path):
        places = sorted(step, reverse=True)
        taken = tuple(arrays.pop(place) for place in places)[::-1]
        names = tuple(labels.pop(place) for place in places)[::-1]
        last = number == len(path) - 1
        kept = result if last else _needed(names, labels, result)
        arrays.append(contract(taken, names, kept, semiring))
        labels.append(kept)
    return arrays[-1]


def _needed(names: Sequence[Labels], others: Sequence[Labels], result: Labels) -> Labels:
    """The labels of a product that are still to be read."""
    wanted = {*result, *(label for labels in others for label in labels)}
    every = dict.fromkeys(label for labels in names for label in labels)
    return tuple(label for label in every if label in wanted)


def _listed(arrays: Sequence[Any], labels: Sequence[Labels], result: Labels) -> list[Any]:
    """Operands with lists of subscripts, as NumPy takes them."""
    numbers = {label: k for k, label in enumerate(dict.fromkeys(chain(*labels)))}
    listed: list[Any] = []
    for array, names in zip(arrays, labels, strict=True):
        listed += [array, [numbers[name] for name in names]]
    return [*listed, [numbers[name] for name in result]]
