"""Expressions that read a format: by every protocol, beside others, in part and in whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from structarr._testing.case import Case, Operand, operand
from structarr.protocols import names

PROTOCOLS: Final = ("walk", "gallop", "locate")
BESIDE: Final = ("dense", "list", "band", "rle")
"""The formats of other operands: what is looked up, has spikes, has phases, has runs."""

ALONE: Final = (
    *("a", "-a", "a + 1", "a > 1", "a == a", "a.T", "np.sqrt(abs(a))"),
    *("a.sum()", "a.sum(axis=0)", "a.sum(axis=-1)", "(a != 0).any(axis=0)"),
)
EMPTY_TOO: Final = (
    *("a + 1", "a.sum(axis=-1)", "np.concatenate([a, a])"),
    *("gallop(a) * locate(a)", "a + b", "(walk(a) * b).sum()"),
)
PAIRS: Final = ("a * b", "b + a", "np.maximum(a, b)", "a <= b", "(gallop(a) * gallop(b)).sum()")
THREE: Final = (
    *("a * b + c", "(a + b) * c", "a * b * c", "np.where(a > 1, b, c)", "(a * b * c).sum()"),
    "(gallop(a) * gallop(b) * c).sum()",
)
WITH: Final = (("list", "rle"), ("dense", "own"), ("own", "band"))
MATRICES: Final = (
    "a.T * b.T",
    "a @ b.T",
    "a.T @ b",
    "b @ a.T",
    "gallop(a) @ v",
    "v @ locate(b * a)",
)
FEW: Final = ("a * b", "locate(a) + b", "a.sum(axis=-1)", "(gallop(a) * b).sum()")
"""For further dtypes, fills and outer levels, and for the compiled tier."""


def texts(ndim: int) -> Iterator[tuple[str, str]]:
    """Expressions, each with the format of its operand b."""
    yield from ((text, "dense") for text in ALONE)
    for beside in (*BESIDE, "own"):
        yield from ((f"({name}(a) * b).sum()", beside) for name in PROTOCOLS)
        yield from ((text, beside) for text in PAIRS)
    yield from (("locate(a) + b", beside) for beside in ("list", "own"))


def read(case: Case, few: bool) -> None:
    """Check the expressions that a case can stand in."""
    if few:
        for text in FEW:
            case.check(text, b=case.others["list"])
        return
    for text, beside in (*texts(case.tensor.ndim), *_by_own(case)):
        case.check(text, b=case.others[beside])
    for text, (b, c) in zip(THREE, 2 * WITH, strict=True):
        case.check(text, b=case.others[b], c=case.others[c])
    if case.tensor.ndim == 2:
        vector = _operand(np.arange(1.0, 1 + case.tensor.shape[1]), "dense")
        if case.tensor.shape[0] == case.tensor.shape[1]:
            for text in MATRICES:
                case.check(text, b=case.others["list"], v=vector)
    parts(case)


def _by_own(case: Case) -> Iterator[tuple[str, str]]:
    """Expressions that read by the protocols that the format alone has."""
    for protocol in names(case.own.array):
        if protocol in PROTOCOLS:
            continue
        for beside in (*BESIDE, "own"):
            yield f"(by(a, {protocol!r}) * b).sum()", beside
            yield f"by(a, {protocol!r}) + b", beside


def read_edges(case: Case) -> None:
    """Check an array with an axis of length zero or one."""
    for text in EMPTY_TOO:
        case.check(text, b=case.others["list"])


def parts(case: Case) -> None:
    """Concatenate, so that partial extents are read, shifted and cut where others end."""
    data = case.own.data
    shape = (*data.shape[:-1], 3 * data.shape[-1])
    rng = np.random.default_rng(shape)
    mask = rng.random(shape) < 0.3
    at = np.arange(shape[-1])
    wide = {
        "dense": rng.integers(1, 4, shape) * 1.0,
        "list": np.where(mask, 2.0, 0.0),
        "band": np.where((at >= data.shape[-1] // 2) & (at < 2 * data.shape[-1] + 1), 3.0, 0.0)
        + np.zeros(shape),
        "rle": np.repeat(rng.integers(0, 3, shape), 4, axis=-1)[..., : shape[-1]] * 1.0,
    }
    for format, values in wide.items():
        for name in PROTOCOLS if format in ("list", "rle") else ("walk",):
            text = f"(np.concatenate([b, {name}(a), a], axis=-1) * w).sum()"
            case.check(text, b=case.others["list"], w=_operand(values, format))
    case.check("np.concatenate([a, b, a], axis=-1)", b=case.others["dense"])
    if case.tensor.ndim > 1:
        case.check("np.concatenate([b, a, a], axis=0) * 2", b=case.others["rle"])


def _operand(data: np.ndarray[tuple[int, ...], np.dtype[np.float64]], format: str) -> Operand:
    return operand(data, data.dtype.type(0), format)
