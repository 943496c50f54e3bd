"""What the rows of every day come to: means by family, what is slower, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.everyday_operations import operations, structured
from benchmarks.everyday_reasons import why
from benchmarks.report import Row, duration
from benchmarks.ways import geometric

LARGE: Final = 10**5  # entries, from which the targets count
BOUNDS: Final = (0.8, 0.9)


def summary(rows: Iterable[Row]) -> str:
    """Return the tables that follow the rows."""
    every = list(rows)
    parts = {"SciPy, 10^5 entries and more": [], "SciPy, fewer entries": [], "NumPy": []}
    small, large, dense = parts["SciPy, fewer entries"], *list(parts.values())[::2]
    for row in every:
        if row.peer == "numpy":
            dense.append(row)
        elif row.peer == "scipy":
            (large if size_of(row.case) >= LARGE else small).append(row)
    texts = [_part(name, found) for name, found in parts.items() if found]
    return "\n".join([*texts, _wrong(every)])


def size_of(case: str) -> float:
    """
    Return how many entries a case's matrix has.

    Examples
    --------
    >>> size_of("csr power-law 1e+05 a @ x")
    100000.0
    """
    return float(case.split(" ", 3)[2])


def text_of(row: Row) -> str:
    """Return the operation of a row."""
    return row.case.split(" ", 1 if row.peer == "numpy" else 3)[-1]


def _part(name: str, rows: Sequence[Row]) -> str:
    families = {one.ours.text: one.family for one in operations() + structured()}
    ratios: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if row.checked and row.variant in ("anew", "reused", "first", "bytes peak"):
            of = ratios.setdefault(families[text_of(row)], {})
            of.setdefault(row.variant, []).append(row.ratio)
    lines = [f"\nBeside {name}: geometric means", f"{'family':18} {'anew':>6} {'reused':>6} "
             f"{'first':>6} {'bytes':>6} {'rows':>5} {'<0.8':>5} {'<0.9':>5}"]  # fmt: skip
    for family, of in ratios.items():
        anew = of.get("anew", [])
        below = [sum(one < bound for one in anew) for bound in BOUNDS]
        means = [_mean(of.get(key, [])) for key in ("anew", "reused", "first", "bytes peak")]
        lines.append(f"{family:18} {_cells(means)} {len(anew):5} {below[0]:5} {below[1]:5}")
    overall = [
        _mean([geometric(of[key]).mean for of in ratios.values() if key in of])
        for key in ("anew", "reused", "first", "bytes peak")
    ]
    lines.append(f"{'families together':18} {_cells(overall)}")
    return "\n".join([*lines, *_losses(rows)])


def _mean(ratios: Sequence[float]) -> float:
    return geometric(ratios).mean if ratios else 0.0


def _cells(means: Sequence[float]) -> str:
    return " ".join(f"{one:6.2f}" if one else f"{'':6}" for one in means)


def _losses(rows: Sequence[Row]) -> list[str]:
    """What is slower with operands made anew, the slowest first."""
    anew = sorted((row for row in rows if row.variant == "anew"), key=lambda row: row.ratio)
    lines: list[str] = []
    least = 0.0
    beside_numpy = bool(rows) and rows[0].peer == "numpy"  # where none is to be slower
    for bound in (*BOUNDS, 1.0) if beside_numpy else BOUNDS:
        found = [row for row in anew if least <= row.ratio < bound]
        lines.append(f"{len(found)} of {len(anew)} from {least} to {bound}:")
        lines += [
            f"  {row.ratio:6.3f}  {duration(row.seconds):>8} {duration(row.peer_seconds):>8}  "
            f"{row.case}{_because(row)}"
            for row in found
        ]
        least = bound
    return lines


def _because(row: Row) -> str:
    """Why NumPy is faster; a question where nobody knows, which is something to mend."""
    return f"  ({why(row) or 'why?'})" if row.peer == "numpy" else ""


def _wrong(rows: Sequence[Row]) -> str:
    found = [row for row in rows if not row.checked and row.variant.startswith(("anew", "refused"))]
    lines = [f"\nRefused or unlike the peer's: {len(found)}"]
    return "\n".join([*lines, *(f"  {row.variant}: {row.case}" for row in found)])
