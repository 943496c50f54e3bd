"""docs/numpy.md: what NumPy's functions do with arrays of structarr, by their registrations.

``python -m structarr._testing.numpy_table docs/numpy.md`` writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

import structarr  # noqa: F401  publishes its functions
from structarr._api.core.publish import HOW, NOTES, REFUSED

_HEAD: Final = """\
# NumPy's functions

What NumPy's functions do with arrays of structarr. This page is made of the registrations, by
`python -m structarr._testing.numpy_table docs/numpy.md`; a test compares the two.

- **structured**: structure is used, and the result has the format that [structure](structure.md)
  says, or is small. Memory follows from what operands and results store, however long their axes
  are. An operand that leaves nothing out may be made dense below the option `densify_limit`; where
  others are, or the result is dense by its nature, the table says when.
- **dense**: the operands are made dense, below `densify_limit`; the result is dense. Above it the
  function raises `DensificationError`, which names it.
- **refused**: it raises `TypeError`, which names the function and says what to do instead.

Keywords are NumPy's. `out=` takes NumPy's arrays, as arrays of structarr are values.
"""

_UFUNCS: Final = """
## Ufuncs

Each takes `out`, `where` (with `out`), `dtype` and `casting`. Of their methods `reduce` and `outer`
are structured (`reduce` of what is not associative is dense), `accumulate` is structured for `add`
of what leaves out 0 and `multiply` of what leaves out 1 and otherwise dense, `reduceat` is dense,
and `at` writes into NumPy's arrays alone.
"""

_MAKERS: Final = """
## Made by `like=`

`np.zeros(3, like=a)` and its kin make arrays of structarr if `a` is one.
"""


def document() -> str:
    """The whole page."""
    ufuncs = _named(np, lambda found: isinstance(found, np.ufunc))
    functions = {
        module.__name__: _named(module, lambda found: hasattr(found, "_implementation"))
        for module in (np, np.linalg, np.fft)
    }
    seen = {twin for named in (ufuncs, *functions.values()) for twin in named.values()}
    makers = _named(np, lambda found: _is_published(found) and found not in seen)
    parts = [_HEAD]
    for name, named in functions.items():
        parts.append(f"\n## `{name}`\n\n{_table(named)}")
    parts += [f"{_UFUNCS}\n{_table(ufuncs)}", f"{_MAKERS}\n{_table(makers)}"]
    return "".join(parts)


def _named(module: ModuleType, wanted: Callable[[Any], bool]) -> dict[str, Any]:
    found = {name: getattr(module, name) for name in sorted(vars(module)) if name[0] != "_"}
    return {name: one for name, one in found.items() if callable(one) and wanted(one)}


def _is_published(found: Any) -> bool:
    return not isinstance(found, type) and found in HOW


def _table(named: dict[str, Any]) -> str:
    rows = [f"| `{name}` | {how} | {why} |" for name, (how, why) in _rows(named.items())]
    return "\n".join(["| function | | |", "|---|---|---|", *rows, ""])


def _rows(named: Iterable[tuple[str, Any]]) -> Iterable[tuple[str, tuple[str, str]]]:
    for name, twin in named:
        if twin in HOW and twin in REFUSED:
            yield name, (HOW[twin], f"into NumPy's arrays; refused into others: {REFUSED[twin]}")
        elif twin in HOW:
            yield name, (HOW[twin], NOTES.get(twin, ""))
        else:
            yield name, ("refused", REFUSED.get(twin, "not there: call it on `a.todense()`"))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")
