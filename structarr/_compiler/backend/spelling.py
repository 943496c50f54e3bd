"""Operators spelled for dtypes, as both targets of Python text write them."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from structarr._compiler.backend.operator_table import SPELLINGS, Spelling
from structarr._compiler.backend.user_functions import NARROW, widened
from structarr._compiler.ir.ops import Op
from structarr._support.caches import MOST

WIDE: Final = 8
"""The bytes of the widest integers, and of the parts of the widest complex numbers."""


def spelled(op: Op, ins: tuple[str, ...], out: str) -> Spelling:
    """
    Return the spelling of an application, with the dtypes filled in.

    Parameters
    ----------
    op : Op
        The operator.
    ins : tuple of str
        NumPy's names of the operands' dtypes, which the texts put in must have exactly.
    out : str
        The dtype that the application has in both tiers.

    Raises
    ------
    TypeError
        If the operator has no spelling for such operands.
    """
    if op.function is not None:
        return Spelling(_called(op.name, ins, out), converts=True, tells=True)
    return _of_table(op.name, ins[0], out)


@lru_cache(MOST)
def _of_table(op: str, operand: str, out: str) -> Spelling:
    for kinds, spelling in SPELLINGS.get(op, {}).items():
        if operand[0] in kinds:
            wide = WIDE * (1 + (operand[0] == "c"))
            narrow = spelling.narrow if np.dtype(operand).itemsize < wide else None
            return _filled(narrow or spelling, operand, out)
    raise TypeError(f"{op} is not defined for {operand} operands")


def _filled(spelling: Spelling, operand: str, out: str) -> Spelling:
    """A spelling for dtypes, cast where Numba would widen the result."""
    template = spelling.template
    bits = str(8 * np.dtype(operand).itemsize)
    for hole, text in (
        ("{out}", _constructor(out)),
        ("{in}", _constructor(operand)),
        ("{unsigned}", f"uint{bits}"),
        ("{bits}", bits),
        ("{wrong}", _RECIPROCAL_OF_ZERO.get(operand, "0")),
        ("{greatest}", str(2 ** (int(bits) - (operand[0] != "u")) - 1)),
        ("{least}", str(-(2 ** (int(bits) - 1)))),
    ):
        template = template.replace(hole, text)
    if out in NARROW and not spelling.converts and not spelling.selects:
        return Spelling(f"{out}({template})", converts=True, tells=spelling.tells)
    return replace(spelling, template=template)


def _called(name: str, ins: tuple[str, ...], out: str) -> str:
    """A call of a function from outside, its operands widened to 64 bits."""
    args = []
    for k, operand in enumerate(ins):
        wide = widened(operand)
        args.append(f"{{{k}}}" if wide == operand else f"{wide}({{{k}}})")
    return f"{_constructor(out)}({name}({', '.join(args)}))"


# The bits that x86 and Arm leave for a float infinity cast to an integer, as NumPy's loops do it.
_RECIPROCAL_OF_ZERO = {"int32": "-2147483648", "int64": "-9223372036854775808"}


def _constructor(dtype: str) -> str:
    return "bool_" if dtype == "bool" else dtype
