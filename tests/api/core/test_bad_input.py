"""Bad input at the public interface: what is refused, and that the message helps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import structarr as sa
from structarr.errors import StructarrError
from structarr.formats import Dense, Element, Format, SparseList

DATA = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
CSR = sa.asarray(DATA).asformat("csr").compute()
ERRORS = (ValueError, TypeError, StructarrError)


def refused(call: Callable[[], Any], *says: str) -> None:
    """The call raises, before anything is computed, a message that says all of it."""
    with pytest.raises(ERRORS) as caught:
        call()
    message = str(caught.value)
    missing = [part for part in says if not re.search(part, message)]
    assert not missing, f"{type(caught.value).__name__}: {message!r} lacks {missing}"


# What, the call, and what its message must name: argument, place, remedy.
Case = tuple[str, Callable[[], Any], tuple[str, ...]]

SHAPES: list[Case] = [
    ("add", lambda: CSR + np.ones(2), (r"\(2, 3\)", r"\(2,\)")),
    ("where", lambda: np.where(CSR > 1, np.ones((4, 3)), 0.0), (r"\(2, 3\)", r"\(4, 3\)")),
    ("matmul", lambda: CSR @ CSR, (r"\(2, 3\)|3", "2")),
    ("vector", lambda: CSR @ np.ones(2), ("3", "2")),
    ("tensordot", lambda: np.tensordot(CSR, np.ones((4, 5)), 1), ("3", "4")),
    ("dot", lambda: np.dot(CSR, np.ones(4)), ("3", "4")),
    ("concatenate", lambda: np.concatenate([CSR, np.ones((2, 4))]), ("axis|dimension", "3", "4")),
    ("stack", lambda: np.stack([CSR, np.ones((3, 2))]), ("same shape",)),
    ("broadcast", lambda: np.broadcast_to(CSR, (2, 4)), (r"\(2, 3\)", r"\(2, 4\)")),
    ("reshape", lambda: np.reshape(CSR, (4, 2)), ("size 6", r"\(4, 2\)")),
    ("convolve", lambda: np.convolve(CSR, np.ones(2)), (r"\(2, 3\)", "as many axes")),
    ("zeros", lambda: sa.zeros((-1, 2)), ("negative", "-1")),
    ("in place", lambda: CSR.__iadd__(np.ones((2, 2, 3))), (r"\(2, 3\)", r"\(2, 2, 3\)")),
    ("ragged", lambda: sa.asarray([[1.0, 2.0], 3.0]), ("side by side",)),
]  # fmt: skip

AXES: list[Case] = [
    ("sum", lambda: CSR.sum(axis=2), ("axis 2", "2")),
    ("negative", lambda: CSR.sum(axis=-3), ("axis -3", "2")),
    ("repeated", lambda: CSR.sum(axis=(0, -2)), ("axis|axes", "duplicate|repeated|twice")),
    ("not whole", lambda: CSR.sum(axis=0.5), ("integer|float",)),
    ("any", lambda: np.any(CSR, axis=5), ("axis 5", "2")),
    ("concatenate", lambda: np.concatenate([CSR, CSR], axis=2), ("axis 2", "2")),
    ("stack", lambda: np.stack([CSR, CSR], axis=4), ("axis 4", "3")),
    ("transpose", lambda: np.transpose(CSR, (0, 0)), ("ax", r"\(0, 0\)|repeated")),
    ("squeeze", lambda: np.squeeze(CSR, axis=0), ("axis 0|axis|size",)),
    ("expand", lambda: np.expand_dims(CSR, 7), ("axis 7", "3")),
    ("extreme", lambda: sa.zeros((0, 3)).max(axis=0), ("max", "zero-size|empty|identity")),
]

BAD_DTYPES: dict[str, Any] = {
    "object": np.array([None, {}], object),
    "strings": np.array(["a", "b"]),
    "bytes": np.array([b"a", b"b"]),
    "datetimes": np.array(["2020-01-01", "2021-01-01"], "datetime64[D]"),
    "timedelta": np.array([1, 2], "timedelta64[s]"),
    "float16": np.ones(2, np.float16),
    "longdouble": np.ones(2, np.longdouble),
    "records": np.zeros(2, [("a", int), ("b", float)]),
}


@pytest.mark.parametrize("case", SHAPES, ids=lambda case: case[0])
def test_shapes(case: Case) -> None:
    refused(case[1], *case[2])


@pytest.mark.parametrize("case", AXES, ids=lambda case: case[0])
def test_axes(case: Case) -> None:
    refused(case[1], *case[2])


@pytest.mark.parametrize("name", BAD_DTYPES)
def test_dtypes_of_data(name: str) -> None:
    """The dtype and what to do instead, wherever it comes in."""
    data = BAD_DTYPES[name]
    told = re.escape(str(data.dtype)), "convert|use |store "
    refused(lambda: sa.asarray(data), *told)
    refused(lambda: sa.asarray([0.0, 1.0], format="list") + data, re.escape(str(data.dtype)))
    refused(lambda: sa.asarray([0.0, 1.0]).astype(data.dtype), *told)
    refused(lambda: sa.zeros(2, dtype=data.dtype), *told)


def test_dtypes_of_operations() -> None:
    refused(lambda: np.bitwise_and(CSR, CSR), "bitwise_and", "float64")
    refused(lambda: np.left_shift(CSR, 1), "left_shift", "float64")
    refused(lambda: CSR.sum(dtype="datetime64[s]"), "datetime64")
    refused(lambda: np.add(CSR, "text"), "str|<U4")
    refused(lambda: np.greater(CSR * 1j, None), "NoneType|object|None")


def matrix(layout: str = "csr", **changes: Any) -> Any:
    """A matrix whose attributes were overwritten, as any code may do."""
    made = scipy.sparse.coo_matrix(DATA).asformat(layout)
    for name, value in changes.items():
        setattr(made, name, value)
    return made


INT = np.int32
CORRUPTED: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "pointers fall": (lambda: matrix(indptr=np.array([0, 3, 1], INT)), ("indptr", r"entry \d")),
    "pointers start late": (lambda: matrix(indptr=np.array([1, 2, 3], INT)), ("indptr", "0")),
    "pointers beyond": (lambda: matrix(indptr=np.array([0, 1, 99], INT)), ("indptr", "99", "3")),
    "a negative pointer": (lambda: matrix(indptr=np.array([0, -1, 3], INT)), ("indptr", "-1")),
    "too few pointers": (lambda: matrix(indptr=np.array([0, 3], INT)), ("indptr", "3 entries")),
    "float pointers": (lambda: matrix(indptr=np.array([0.0, 1, 3])), ("indptr", "float64")),
    "an index beyond": (
        lambda: matrix(indices=np.array([1, 0, 3], INT)), ("indices", "entry 2", "3")),
    "an index of 2**31 - 1": (
        lambda: matrix(indices=np.array([1, 0, 2**31 - 1], INT)), ("indices", "entry 2")),
    "a negative index": (lambda: matrix(indices=np.array([-1, 0, 2], INT)), ("indices", "entry 0")),
    "too few indices": (lambda: matrix(indices=np.array([1], INT)), ("indices", "1")),
    "too few values": (lambda: matrix(data=np.ones(1)), ("data", "1")),
    "values of two axes": (lambda: matrix(data=np.ones((3, 2))), ("val|data", r"\(3, 2\)")),
    "objects": (lambda: matrix(data=np.array([None] * 3)), ("object",)),
    "a column beyond": (lambda: matrix("csc", indices=np.array([0, 0, 2], INT)), ("indices", "2")),
    "coordinates beyond": (
        lambda: matrix("coo", coords=(np.array([0, 1, 9]), np.array([0, 1, 2]))), ("axis 0", "9")),
    "coordinates too few": (
        lambda: matrix("coo", coords=(np.array([0]), np.array([0, 1, 2]))), ("1", "3")),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRUPTED)
def test_corrupted_scipy_arrays(name: str) -> None:
    """Refused wherever one comes in: nothing reads out of bounds, in no tier."""
    made, says = CORRUPTED[name]
    refused(lambda: sa.asarray(made()), "corrupted|dtype", *says)
    refused(lambda: np.multiply(CSR, made()), *says)
    refused(lambda: CSR + made(), *says)
    refused(lambda: np.add(made(), CSR), *says)
    refused(lambda: sa.asarray(made()).sum(), *says)


def test_formats() -> None:
    refused(lambda: CSR.asformat("nonsense"), "'nonsense'", "csr")
    refused(lambda: sa.asarray(DATA, format="nonsense"), "'nonsense'", "csr")
    refused(lambda: sa.asarray(np.ones(3), format="csr"), "'csr'", "2 axes", "list")
    refused(lambda: CSR.asformat(SparseList()), "1 level", "2 axes")
    refused(lambda: CSR.asformat(3), "format", "3", "name")
    twice = Format(Dense(SparseList(Element())), (0, 0))
    refused(lambda: CSR.asformat(twice), r"\(0, 0\)", "permutation")
    narrow = Format(Dense(SparseList(Element())), (0, 1), "int8")
    refused(lambda: CSR.asformat(narrow), "int8", "int32, int64")
    refused(lambda: CSR.to_scipy("nonsense"), "'nonsense'", "csr")
    refused(lambda: (CSR + 1.0).to_scipy(), "zero", "fill", "todense")


@pytest.mark.parametrize("fmt", ["csr", "band", "rle", "bitmap", "dense"])
def test_protocols(fmt: str) -> None:
    """They say how to read and are no demand: every format takes each; what is unknown is told."""
    array = sa.asarray(DATA).asformat(fmt).compute()
    for protocol in (sa.walk, sa.gallop, sa.locate):
        np.testing.assert_array_equal((protocol(array) * array).todense(), DATA * DATA)
    refused(lambda: sa.gallop("text"), "<U4", "store codes")
    refused(lambda: sa.protocols.by(array, "leap"), "'leap'", "walk, gallop, locate")


def test_options_and_arguments() -> None:
    refused(lambda: sa.options(tier="quick"), "tier", "'quick'", "compiled")
    refused(lambda: sa.options(speed=1), "'speed'", "tier")
    refused(lambda: sa.options(threads=0), "threads", "at least 1")
    refused(lambda: sa.asarray(DATA, device="gpu"), "'gpu'", '"cpu"')
    refused(lambda: sa.asarray([1, 2], fill_value=0.5), "fill_value", "0.5")
    refused(lambda: np.sum(CSR, out=CSR), "out", "NumPy")
    refused(lambda: np.add(CSR, CSR, out=np.zeros(3)), r"\(2, 3\)", r"\(3,\)")
    refused(lambda: np.add(CSR, CSR, out=np.zeros((2, 3), int)), "int64", "float64")
    refused(lambda: np.convolve(np.ones(3), sa.ones(2), mode="most"), "mode", "'most'", "same")
