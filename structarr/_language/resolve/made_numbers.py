"""Numbers that arrays and scalars of programs are made of."""

from __future__ import annotations

from structarr._language.read.messages import error
from structarr._language.read.syntax import Make, Program, written_number


def made_number(made: Make, program: Program) -> bool | int | float | complex:
    """The number that an array, or a scalar, is made of.

    Raises
    ------
    ProgramError
        If it is not written out.
    """
    found = written_number(made.value)
    if found is None:
        raise error("an array is made of a literal, as in `np.full(n, 2.0)`", made.at, program)
    return found
