"""The subscripts of `einsum`: names of the operands' axes and of the result's."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from structarr._lazy.contraction import Labels
from structarr._support.caches import MOST, cleared

DOTS: Final = "..."


def given(operands: Sequence[Any]) -> tuple[tuple[Labels, ...], Labels | None, list[Any]]:
    """Return the labels of the operands and of the result, if given, and the operands."""
    if not operands:
        raise ValueError(
            "einsum takes subscripts and operands: einsum('ij,jk', a, b), or einsum(a, [0, 1], b, "
            "[1, 2])"
        )
    if isinstance(operands[0], str):
        inputs, result = _of_text(operands[0])
        return inputs, result, list(operands[1:])
    pairs = len(operands) // 2
    arrays = [operands[2 * k] for k in range(pairs)]
    inputs = tuple([_of_list(operands[2 * k + 1]) for k in range(pairs)])
    return inputs, _of_list(operands[-1]) if len(operands) % 2 else None, arrays


@cleared
@lru_cache(MOST)
def _of_text(text: str) -> tuple[tuple[Labels, ...], Labels | None]:
    left, arrow, right = text.replace(" ", "").partition("->")
    inputs = tuple([_letters(part, text) for part in left.split(",")])
    return inputs, _letters(right, text) if arrow else None


def _letters(part: str, text: str) -> Labels:
    """The labels of one operand."""
    found = tuple(re.findall(r"\.\.\.|.", part))
    for label in found:
        if label != DOTS and not (label.isascii() and label.isalpha()):
            raise ValueError(
                f"einsum: invalid subscript {label!r} in {text!r}: give letters, '...', ',' "
                "between operands and '->' before the result"
            )
    return _checked(found)


def _of_list(labels: Any) -> Labels:
    try:
        found = tuple(DOTS if one is Ellipsis else operator.index(one) for one in labels)
    except TypeError:
        raise TypeError(
            f"einsum: each subscript must be either an integer or an ellipsis, not {labels!r}"
        ) from None
    if any(one != DOTS and not 0 <= one < 52 for one in found):  # type: ignore[operator]
        raise ValueError(f"einsum: subscripts must be within [0, 52), not {labels!r}")
    return _checked(found)


def _checked(labels: Labels) -> Labels:
    if labels.count(DOTS) > 1:
        raise ValueError(f"einsum: an operand has '...' once, not {labels.count(DOTS)} times")
    return labels


@cleared
@lru_cache(MOST)
def resolved(
    inputs: tuple[Labels, ...], result: Labels | None, shapes: tuple[tuple[int, ...], ...]
) -> tuple[tuple[Labels, ...], Labels]:
    """Return a label for each axis of the operands and of the result, ellipses written out.

    Raises
    ------
    ValueError
        If labels and shapes do not fit.
    """
    if len(inputs) != len(shapes):
        raise ValueError(
            f"einsum: {len(inputs)} operands in the subscripts, and {len(shapes)} are given"
        )
    pairs = zip(inputs, shapes, strict=True)
    every = tuple(_axes(k, labels, shape) for k, (labels, shape) in enumerate(pairs))
    _check_lengths(every, shapes)
    dotted = (tuple(one for one in labels if isinstance(one, tuple)) for labels in every)
    dots = max(dotted, key=len)
    if result is None:
        single = sorted(_single(inputs))
        return every, (*dots, *single)
    return every, _result(result, dots, inputs)


def _axes(number: int, labels: Labels, shape: tuple[int, ...]) -> Labels:
    """A label for each axis; those of an ellipsis are counted from the right."""
    rest = len(shape) - len(labels) + (DOTS in labels)
    if rest < 0 or (rest and DOTS not in labels):
        raise ValueError(
            f"einsum: operand {number} has {len(shape)} axes, and its subscripts name "
            f"{len(labels) - (DOTS in labels)}; '...' stands for axes without a name"
        )
    if DOTS not in labels:
        return labels
    place = labels.index(DOTS)
    dots = tuple((DOTS, k) for k in range(rest, 0, -1))
    return (*labels[:place], *dots, *labels[place + 1 :])


def _single(inputs: Sequence[Labels]) -> list[Any]:
    """The labels that occur once."""
    every = [label for labels in inputs for label in labels]
    return [label for label in every if label != DOTS and every.count(label) == 1]


def _check_lengths(labels: Sequence[Labels], shapes: Sequence[tuple[int, ...]]) -> None:
    known: dict[Any, tuple[int, int]] = {}
    for number, (names, shape) in enumerate(zip(labels, shapes, strict=True)):
        own: dict[Any, int] = {}
        for name, length in zip(names, shape, strict=True):
            if own.setdefault(name, length) != length:
                raise ValueError(
                    f"einsum: dimensions in operand {number} for collapsing index {_shown(name)} "
                    f"don't match ({own[name]} != {length})"
                )
            found, first = known.get(name, (1, number))
            if 1 not in (found, length) and found != length:
                raise ValueError(
                    f"einsum: index {_shown(name)} has length {found} in operand {first} and "
                    f"{length} in operand {number}"
                )
            if found == 1:
                known[name] = length, number


def _shown(label: Any) -> str:
    return repr(label) if not isinstance(label, tuple) else "'...'"


def _result(result: Labels, dots: Labels, inputs: Sequence[Labels]) -> Labels:
    every = {label for labels in inputs for label in labels}
    for label in result:
        if label != DOTS and result.count(label) > 1:
            raise ValueError(f"einsum: the result names subscript {label!r} multiple times")
        if label != DOTS and label not in every:
            raise ValueError(f"einsum: the result's subscript {label!r} is in no operand")
    if DOTS not in result:
        if dots:
            raise ValueError(
                f"einsum: the operands have {len(dots)} axes under '...', and the result has no "
                "'...'; give it one, or name the axes to sum over them"
            )
        return result
    place = result.index(DOTS)
    return (*result[:place], *dots, *result[place + 1 :])
