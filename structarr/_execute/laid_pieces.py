"""Pieces of a call that are laid out beforehand, and run without Python between them.

What a piece is given depends on where the arrays of the whole call begin, and else on the cuts. So
tables tell it for calls that are cut alike (`native.piece_runner`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from structarr._execute.threads import allowed, together
from structarr._scheduler.operands import Operands
from structarr._storage.tensor import Tensor
from structarr._support.caches import room
from structarr.formats.entries import Array

SHARE: Final = 8
"""The words of a share (`native.piece_runner`): a line of the cache, which no two threads write."""

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

    Attributes
    ----------
    pieces : int
        The parameter.
    """

    def __init__(
        self, steps: Sequence[Step], pieces: int, numbers: int, turn: int, waits: bool
    ) -> None:
        self._steps, self.pieces, self._turn, self._waits = steps, pieces, turn, waits
        widest = max([step.table.shape[1] for step in steps])
        self._words = [turn, len(steps), numbers, widest]
        for function, table in steps:
            self._words += [piece_of(function), address_of(table), table.shape[1]]
        self._heads: dict[int, tuple[Array, list[Array]]] = {}  # by the number of threads

    def run(self, numbers: Array, bases: Callable[[], Sequence[Array]]) -> None:
        """Run all pieces by as many threads as are allowed.

        Each asks for the arrays that tables refer to, and goes along a share of its own first.
        """
        from structarr._compiler.backend.native.piece_runner import runner  # imports llvmlite

        run_some, turn, threads = runner(), self._turn, min(allowed(), self.pieces)
        known = self._heads.get(threads)
        if known is None:
            known = self._heads[threads] = self._shared(threads)
        shares, heads = known[0].copy(), known[1]

        def work(own: int) -> None:
            arrays = bases()
            try:
                while run_some(heads[own], shares, numbers, *arrays) == turn:
                    pass
            except BaseException:
                shares[:, 1] = 0  # nobody goes on
                raise

        try:
            together(work, threads, self._waits)
        except BaseException:
            shares[:, 1] = 0  # an interrupt comes to the caller's thread alone
            raise

    def _shared(self, threads: int) -> tuple[Array, list[Array]]:
        """The shares of some threads, and the head of each."""
        shares = np.zeros((threads, SHARE), np.int64)
        ends = np.arange(threads + 1) * self.pieces // threads
        shares[:, 0], shares[:, 1] = ends[:-1], ends[1:]
        return shares, [np.array([threads, own, *self._words]) for own in range(threads)]
