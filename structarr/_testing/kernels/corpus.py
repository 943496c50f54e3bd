"""The corpus: expressions and programs whose kernels are compared.

Expressions are lines of ``corpus.txt``, below the names of their groups, and what is made here for
formats and pairs of them; programs are in `programs`. A case is known by its text: changing one
makes another, and adding one changes no other. `operands` says what the names are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Final

from .case import Case
from .programs import programs

_LINES: Final = Path(__file__).with_name("corpus.txt")

VECTORS: Final = (
    "dense1 list1 band1 vbl1 ragged1 point1 interval1 rle1 sparse_rle1 packbits1 bitmap1 "
    "one_bit1 two_bit1"
)
MATRICES: Final = (
    "csc dcsr dcsc coo hash bsr dia triu tril symmetric hermitian band vbl rle sparse_rle constant"
)
ALL: Final = (
    "dense csr csc dcsr dcsc list csf coo hash band vbl ragged point interval rle sparse_rle "
    "packbits bitmap triu tril symmetric hermitian dia bsr constant one_bit two_bit"
)
RESULTS: Final = (
    "dense csr csc dcsr dcsc list csf coo hash band vbl ragged rle sparse-rle packbits bitmap bsr "
    "dia"
)


@cache
def corpus() -> tuple[Case, ...]:
    """Every case, in the order in which they are shown."""
    found = [Case(group, text) for group, text in _texts()]
    found += [Case("programs", call, source) for call, source in programs()]
    return tuple(dict.fromkeys(found))


def _texts() -> Iterator[tuple[str, str]]:
    for a, b in combinations_with_replacement(VECTORS.split(), 2):
        other = b if a != b else f"{b}[::-1]"
        yield "intersections", f"{a} * {other}"
        yield "unions", f"{a} + {other}"
    for a in MATRICES.split():
        yield "matrices", f"{a} * csr"
        yield "matrices", f"{a} + {a}.T"
        yield "matrices", f"{a} @ x"
    for a in ALL.split():
        yield "reductions by format", f"{a}.sum(axis=0)"
        yield "reductions by format", f"{a}.sum(axis=1)"
    for asked in RESULTS.split():
        yield "results by format", f"(csr * 2).asformat({asked!r})"
        yield "results by format", f"(dense + 1).asformat({asked!r})"
    for section in _LINES.read_text().split("\n["):
        group, *lines = section.strip().splitlines()
        for line in lines:
            yield group.strip("[]"), line
