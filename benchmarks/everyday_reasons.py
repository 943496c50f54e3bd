"""Why an operation of ours takes longer than NumPy's on the dense array, where it is known."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from benchmarks.report import Row

CALL: Final = 150e-6
"""Seconds up to which a call is the planning of it, more than loops."""

VIEWS: Final = (
    r"a\.T|a\[(i|low:high|:, low:high|low:high, low:high|::-?\d|:, ::2|:, j|i, j)\]"
    r"|a\.reshape\(.*\)|a\.diagonal\(\)|sa\.diagonal\(.*\)"
)


class Reason(NamedTuple):
    """Formats, or none for all, and operations that are slower for a reason."""

    formats: tuple[str, ...]
    operations: str
    why: str


REASONS: Final = (
    Reason((), VIEWS, "NumPy copies nothing: it gives a view"),
    Reason(
        (), r".*arg(max|min)\(.*", "what is stored is listed, or a dense copy made and searched"
    ),
    Reason((), r"sa\.argsort\(.*", "the result is dense: NumPy's own sort of a dense copy"),
    Reason((), r"sa\.(median|quantile)\(.*", "where much is stored, NumPy's own way on a copy"),
    Reason((), r"sa\.(sort)\(.*", "where much is stored, NumPy's own sort, and the format again"),
    Reason(("symmetric",), r"(?!.*(@|sum|mean|max|min)).*", "half of it is read across its rows"),
    Reason(("bitmap",), r".*", "each element has a mark that is looked at, and branches on it"),
    Reason(("hash",), r".*", "entries are sorted where they are read in order"),
    Reason(
        ("triu", "tril", "ragged", "band", "vbl"),
        r".* = .*|.*(vstack|hstack|block|concatenate|roll|insert|repeat|tile).*|a\[.*\]",
        "rows are found and bounded one by one, and as much is copied",
    ),
    Reason(
        ("rle", "sparse-rle", "packbits", "interval"),
        r".* = .*|a\[.*\]|sa\.(repeat|delete|insert|tile|diff|cumsum|roll).*",
        "rows hold about as many runs as elements here, or runs are made of elements",
    ),
    Reason((), r".*(asformat|to_scipy|from_coordinates|diags|csgraph).*", "the result is sparse"),
)


def why(row: Row) -> str:
    """
    Return why a row is slower than NumPy; empty where nobody knows.

    Examples
    --------
    >>> from benchmarks.report import Row
    >>> why(Row("rle a.T", "anew", 2e-5, "numpy", 1e-6, 0.05, True))
    'NumPy copies nothing: it gives a view'
    """
    format, operation = row.case.split(" ", 1)
    for one in REASONS:
        if (not one.formats or format in one.formats) and re.fullmatch(one.operations, operation):
            return one.why
    return "the call itself: planning takes longer than loops" if row.seconds < CALL else ""
