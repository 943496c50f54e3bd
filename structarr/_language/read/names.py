"""The names that a program's indices and arrays bear in its kernel."""

from __future__ import annotations

import keyword
import re

from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime._constructors import CONSTRUCTORS

_OURS = re.compile(r"(scalar|fill|size|whole)\d|.*(\d|_)$|.*_(n|sum|q|i|end|stop|v|here|cut|open)$")
_BUILTINS = {"range", "min", "max", "abs", "float", "complex", "len"}  # functions that kernels call
_TAKEN = {"u", "np", "kernel", *_BUILTINS, *HELPERS, *CONSTRUCTORS}


def kernel_name(name: str, taken: set[str]) -> str:
    """A name for the kernel, like the user's, that nothing else there has; it becomes taken."""
    plain = name.rstrip("'")
    base = "".join(char if char.isascii() and char.isalnum() else "_" for char in plain)
    while not base or base[0].isdigit() or keyword.iskeyword(base) or base in _TAKEN:
        base = f"x{base}"
    if _OURS.match(base):
        base += "x"
    found, count = base, 0
    while found in taken:
        count += 1
        found = f"{base}{'abcdefghijklmnopqrstuvwxyz'[count % 26]}" + "x" * (count // 26)
    taken.add(found)
    return found
