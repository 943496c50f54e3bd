"""Names of a kernel's variables and buffers in its text."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Final

from structarr._compiler.backend.user_functions import called
from structarr._compiler.ir.expr import Buffer
from structarr._compiler.ir.kernel import Function
from structarr._compiler.ir.variables import Var
from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime._constructors import CONSTRUCTORS

BUILTINS: Final = frozenset({"range", "min", "max", "abs", "float", "complex", "len"})
"""Functions of Python's that kernels call."""

TAKEN: Final = frozenset({"u", "np", *BUILTINS, *HELPERS, *CONSTRUCTORS, *keyword.kwlist})
"""What names in a kernel's text mean already."""


class Names(dict[Var | Buffer, str]):
    """
    Allocator of names for one kernel: a name for each of its variables and buffers, no two alike.

    Names are given in the order in which they are asked for, so equal kernels have equal texts.

    Parameters
    ----------
    functions : iterable of Function
        The functions of the kernel; their names, and those of functions of users that they call,
        are taken.
    taken : iterable of str
        Other names that are taken, beside those of functions that all kernels may call.
    """

    def __init__(self, functions: Iterable[Function] = (), taken: Iterable[str] = ()) -> None:
        super().__init__()
        whole = tuple(functions)
        self._taken = {*taken, *(one.name for one in whole), *(one.name for one in called(whole))}

    def __missing__(self, node: Var | Buffer) -> str:
        """The name of a variable or buffer: what people call it, if nothing else has that name."""
        hint = _identifier(node.label)
        name, count = hint, 1
        while name in self._taken or name in TAKEN:
            count += 1
            name = f"{hint}_{count}"
        self._taken.add(name)
        self[node] = name
        return name


def _identifier(label: str) -> str:
    """A label with nothing in it that Python does not take in a name."""
    plain = "".join([one if one.isascii() and one.isalnum() else "_" for one in label])
    return f"x{plain}" if not plain or plain[0].isdigit() else plain
