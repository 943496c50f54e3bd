"""Pieces of a call that are laid out beforehand, and run without Python between them.

What a piece is given depends on where the arrays of the whole call begin, and else on the cuts. So
tables tell it for calls that are cut alike (`native.piece_runner`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from itertools import count
from struct import Struct
from sys import byteorder
from typing import Any, Final, NamedTuple
from weakref import ref

import numpy as np

from structarr._compiler.backend import kernel as kernels
from structarr._compiler.backend.params import Param
from structarr._compiler.options import current
from structarr._compiler.progress import is_told
from structarr._execute.partition_work import is_even
from structarr._execute.threads import allowed, mapped
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.entries import Array

LINE: Final = 64
"""The bytes of a line of the cache."""

KEPT: Final = 16
"""The layouts for which an operand keeps parts."""

BEGIN: Final = """
def kernel(C_val, start):
    for i in range(len(C_val)):
        C_val[u(i)] = start
    return
"""

_numbers = count()


class _Parts(list[Tensor]):
    """Parts of an operand, which it keeps for a layout."""


class Step(NamedTuple):
    """A function that is called for each piece, and the table of its arguments."""

    function: Callable[..., Any]
    table: Array


class Owners:
    """The operands whose parts depend on what they store, which keep parts that have memory."""

    def __init__(self, given: Operands, parts: Sequence[Operands]) -> None:
        """Raises LookupError if a part has memory that nothing keeps."""
        self._known: list[tuple[int, ref[Tensor], ref[_Parts]]] = []
        for number, tensor in enumerate(given.tensors):
            own = [one.tensors[number] for one in parts if one.tensors[number] is not tensor]
            made = _Parts([one for one in own if not _are_views(one.buffers, tensor.buffers)])
            known = {id(one) for one in tensor.memo.get("rows", {}).values()}
            if any([id(one) not in known for one in made]):
                raise LookupError
            if made or (own and not is_even(tensor.format)):
                laid = tensor.memo.setdefault("laid", {})
                room(laid, KEPT)[next(_numbers)] = made
                self._known.append((number, ref(tensor), ref(made)))

    def parts(self, given: Operands) -> Sequence[_Parts] | None:
        """What has to be kept while pieces run; None if these are other operands."""
        found = []
        for number, owner, parts in self._known:
            if owner() is not given.tensors[number]:
                return None
            found.append(parts())
        return None if None in found else found  # type: ignore[return-value]


def _are_views(parts: Sequence[Array], wholes: Sequence[Array]) -> bool:
    """Whether some buffers lie within others."""
    return all(
        not len(part) or 0 <= address_of(part) - address_of(whole) <= whole.nbytes - part.nbytes
        for part, whole in zip(parts, wholes, strict=True)
    )


def address_of(array: Array) -> int:
    """Where an array begins."""
    found: int = array.__array_interface__["data"][0]
    return found


def piece_of(compiled: Callable[..., Any] | None) -> int:
    """The address of a kernel for machine code; 0 where Python has to call it."""
    if is_told() or not current().compiles or byteorder != "little":
        return 0
    found: int = getattr(getattr(compiled, "__self__", None), "piece", 0)
    return found


@cache
def begin_of(dtype: str) -> Callable[..., Any]:
    """The function that fills an array with a value."""
    params = Param(dtype, True, True), Param(dtype, False, False)
    return kernels.of_text(BEGIN, params).compile()


_CODES: Final = {
    **{"bool": "?15x", "int8": "b15x", "uint8": "B15x", "int16": "h14x", "uint16": "H14x"},
    **{"int32": "i12x", "uint32": "I12x", "int64": "q8x", "uint64": "Q8x"},
    **{"float32": "f12x", "float64": "d8x", "complex64": "ff8x", "complex128": "dd"},
}
"""How a number of each dtype takes two words."""


class Numbers:
    """The numbers among the arguments of a call, as words."""

    def __init__(self, dtypes: Sequence[str]) -> None:
        self._pack = Struct("<" + "".join([_CODES[one] for one in dtypes])).pack
        self._pairs = [k for k, one in enumerate(dtypes) if one.startswith("complex")]

    def words(self, values: Sequence[Any]) -> Array:
        """Their words."""
        if self._pairs:
            parts = [
                [one.real, one.imag] if k in self._pairs else [one] for k, one in enumerate(values)
            ]
            values = [one for every in parts for one in every]
        return np.frombuffer(self._pack(*values), np.int64)


class Laid:
    """
    The steps of pieces that are laid out.

    Parameters
    ----------
    steps : sequence of Step
        What is called for each piece.
    pieces : int
        How many there are.
    numbers : int
        The count of numbers that the tables refer to.
    turn : int
        How many pieces a thread runs until it hears of interrupts.
    waits : bool
        Whether the thread that hears of them only waits.
    """

    def __init__(
        self, steps: Sequence[Step], pieces: int, numbers: int, turn: int, waits: bool
    ) -> None:
        self._steps, self._pieces, self._turn, self._waits = steps, pieces, turn, waits
        widest = max([step.table.shape[1] for step in steps])
        self._head = [turn, len(steps), numbers, widest]
        for function, table in steps:
            own = function.__self__.piece
            self._head += [own, address_of(table), table.shape[1]]

    def run(
        self, numbers: Array, bases: Callable[[], AbstractContextManager[Sequence[Array]]]
    ) -> None:
        """Run all pieces by as many threads as are allowed.

        Each asks for the arrays that tables refer to, and goes along a share of its own first.
        """
        from structarr._compiler.backend.native.piece_runner import SHARE, runner

        run_some, pieces, turn = runner(), self._pieces, self._turn
        threads = min(allowed(), pieces)
        shares = np.zeros((threads + 1) * SHARE, np.int64)
        shares = shares[-address_of(shares) % LINE // 8 :]
        for k in range(threads):
            shares[k * SHARE] = pieces * k // threads
            shares[k * SHARE + 1] = pieces * (k + 1) // threads

        def work(own: int) -> None:
            head = np.array([threads, own, *self._head])
            with bases() as arrays:
                try:
                    while run_some(head, shares, numbers, *arrays) == turn:
                        pass
                except BaseException:
                    stop()
                    raise

        def stop() -> None:
            shares[1::SHARE] = 0

        try:
            for _ in mapped(work, range(threads), self._waits):
                pass
        except BaseException:
            stop()  # an interrupt comes to the caller's thread alone
            raise
