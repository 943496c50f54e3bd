"""The kinds of levels: their support, and the repetition of values in it."""

from __future__ import annotations

from typing import NamedTuple


class Kind(NamedTuple):
    """The support of a mode, and the repetition of its values: const, runs, pack or each."""

    support: str
    repeat: str


KINDS = {
    "const": Kind("full", "const"),
    "runs": Kind("full", "runs"),
    "packbits": Kind("full", "pack"),
    "dense": Kind("full", "each"),
    "computed": Kind("full", "each"),
    "symmetric": Kind("full", "each"),
    "hermitian": Kind("full", "each"),
    "bitmap": Kind("bitmap", "each"),
    "list": Kind("list", "runs"),  # single elements: runs of length one
    "point": Kind("point", "const"),
    "blocks": Kind("blocks", "each"),
    "intervals": Kind("blocks", "runs"),
    "band": Kind("band", "each"),
    "interval": Kind("band", "const"),
    "ragged": Kind("ragged", "each"),
    "upper": Kind("upper", "each"),
    "lower": Kind("lower", "each"),
    "diagonals": Kind("diagonals", "runs"),
}
POINTS = ("list", "point", "diagonals")


def is_sparse(kind: str) -> bool:
    """Whether a level of this kind leaves out elements that equal the fill."""
    return kind in KINDS and KINDS[kind].support != "full"


def has_runs(kind: str) -> bool:
    """Whether a level of this kind stores neighbours of one value as one."""
    return kind not in KINDS or not (KINDS[kind].repeat == "each" or kind in POINTS)
