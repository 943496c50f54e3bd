"""What a benchmark says: rows of ratios, printed as a table and written as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """
    One comparison with one peer.

    `ratio` is `peer_seconds / seconds`: above 1 we are faster. `checked` says that the results
    were compared and equal.
    """

    case: str
    variant: str
    seconds: float
    peer: str
    peer_seconds: float
    ratio: float
    checked: bool


def row(
    case: str, variant: str, seconds: float, peer: str, peer_seconds: float, checked: bool
) -> Row:
    """Return a row with its ratio."""
    return Row(case, variant, seconds, peer, peer_seconds, peer_seconds / seconds, checked)


HEADER = f"{'case':34} {'variant':12} {'time':>10}  {'peer':15} {'time':>10} {'ratio':>8}  checked"


_SHOWN = {
    "bytes": "{:.3g} B".format,
    "steps": "{:.0f}".format,
    "load": "{:.1f}".format,
    "slope": "{:.3f}".format,
}


def line(row: Row) -> str:
    """Return a row as a line of the table; bytes, steps, loads, slopes are given as its seconds."""
    shows = (show for what, show in _SHOWN.items() if row.variant.startswith(what))
    show = next(shows, duration)
    return (
        f"{row.case:34} {row.variant:12} {show(row.seconds):>10}  "
        f"{row.peer:15} {show(row.peer_seconds):>10} {row.ratio:8.2f}  "
        f"{'yes' if row.checked else 'NO'}"
    )


def duration(seconds: float) -> str:
    """
    Return a time with three digits and its unit.

    Examples
    --------
    >>> duration(0.00123), duration(4.5e-6), duration(2)
    ('1.23 ms', '4.5 us', '2 s')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


def write(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a JSON list of objects."""
    path.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


def read(path: Path) -> list[Row]:
    """Return rows that `write` wrote."""
    return [Row(**one) for one in json.loads(path.read_text())]
