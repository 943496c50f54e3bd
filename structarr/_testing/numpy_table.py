"""The page docs/numpy.md: a table of NumPy's functions by their registrations.

``python -m structarr._testing.numpy_table docs/numpy.md`` writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np

from structarr._api.core.publish import HOW, NOTES, REFUSED
from structarr._methods.tables import bring_all
from structarr._support.numpys_own import ABSENT, NAMES

_HEAD: Final = """\
# NumPy's functions

This page lists for each of NumPy's functions how it treats arrays of structarr. It is generated
from the registrations by `python -m structarr._testing.numpy_table docs/numpy.md`; a test compares
the two.

- **structured**: the function uses structure, and its result has the format that the
  [structure algebra](structure.md) gives, or is small. Memory follows from the stored elements of
  operands and results, not from the lengths of axes. An operand that is not sparse may be made
  dense below the option `densify_limit`; the table notes further cases, and results that are always
  dense.
- **dense**: the operands are made dense, below `densify_limit`; the result is dense. Above it the
  function raises `DensificationError` with its name.
- **refused**: the function raises `TypeError` with its name and an alternative.

Keywords are NumPy's. `out=` takes NumPy arrays only, as arrays of structarr are values.
"""

_UFUNCS: Final = """
## Ufuncs

Each takes `out`, `where` (with `out`), `dtype` and `casting`. Of its methods, `reduce` and `outer`
are structured (`reduce` of operators that are not associative is dense). `accumulate` is structured
for the sums, products, extremes, logical and bitwise operators, and makes arrays dense for others.
`reduceat` is dense, and `at` writes into NumPy arrays only.
"""

_MAKERS: Final = """
## Made by `like=`

`np.zeros(3, like=a)` and its kin make arrays of structarr if `a` is one.
"""


_OTHERS: Final = """
## Other names

All other public names of `numpy` 2.4. *ours*: `structarr` has a function or an object of that name.
*NumPy's*: the very object of NumPy's is there, too. *absent*: why, or what to use.
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
    bring_all()
    parts = [_HEAD]
    for name, named in functions.items():
        parts.append(f"\n## `{name}`\n\n{_table(named)}")
    parts += [f"{_UFUNCS}\n{_table(ufuncs)}", f"{_MAKERS}\n{_table(makers)}"]
    tabled = {*ufuncs, *functions["numpy"], *makers}
    parts.append(f"{_OTHERS}\n{_others(tabled)}")
    return "".join(parts)


def _whose(name: str) -> str:
    return "NumPy's" if name in NAMES else "ours"


def _others(tabled: Collection[str]) -> str:
    """The table of names that stand for no function of arrays."""
    rows = ["| name | | |", "|---|---|---|"]
    for name in sorted(one for one in dir(np) if one[0] != "_" and one not in tabled):
        if name in ABSENT:
            rows.append(f"| `{name}` | absent | {ABSENT[name]} |")
        else:
            rows.append(f"| `{name}` | {_whose(name)} |  |")
    return "\n".join([*rows, ""])


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
