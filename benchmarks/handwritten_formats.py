"""The kernel written by hand for each format and operation."""

from __future__ import annotations

from typing import Any, Final

from benchmarks import (
    handwritten_blocks as blocks,
    handwritten_lists as lists,
    handwritten_places as places,
    handwritten_runs as runs,
)
from benchmarks.structures import SIDE

BRANCHING, BRANCHLESS = lists.merged, lists.stepped

# The rows of these formats are listed: results are lists, whose coordinates a kernel writes too.
LISTED: Final = ("dcsr", "coo")

# For each format its kernels with a dense vector, with a list and with a matrix of the format.
KERNELS: Final[dict[str, tuple[Any, Any, Any]]] = {
    "csr": (lists.csr_dense, *lists.csr_pairs(BRANCHING)),
    "dcsr": (lists.dcsr_dense, *lists.dcsr_pairs(BRANCHING)),
    "coo": (lists.coo_dense, *lists.coo_pairs(BRANCHING)),
    "band": (blocks.band_dense, blocks.band_list, blocks.band_band),
    "vbl": (blocks.vbl_dense, blocks.vbl_list, blocks.vbl_vbl),
    "bsr": blocks.bsr(SIDE),
    "point": (places.point_dense, places.point_list, places.point_point),
    "interval": (runs.interval_dense, runs.interval_list, runs.interval_interval),
    "ragged": (blocks.ragged_dense, blocks.ragged_list, blocks.ragged_ragged),
    "rle": (runs.rle_dense, runs.rle_list, runs.rle_rle),
    "sparse-rle": (runs.sparse_rle_dense, runs.sparse_rle_list, runs.sparse_rle_sparse_rle),
    "packbits": (runs.packbits_dense, runs.packbits_list, runs.packbits_packbits),
    "bitmap": (places.bitmap_dense, places.bitmap_list, places.bitmap_bitmap),
    "triu": (blocks.triu_dense, blocks.triu_list, blocks.triu_triu),
    "tril": (blocks.tril_dense, blocks.tril_list, blocks.tril_tril),
    "symmetric": (blocks.symmetric_dense, blocks.symmetric_list, blocks.symmetric_symmetric),
    "dia": (places.dia_dense, places.dia_list, places.dia_dia),
    "constant": (runs.constant_dense, runs.constant_list, runs.constant_constant),
}
KERNELS["hash"] = KERNELS["csr"]  # of which a hash is one, with tables beside it

# Which of two merges is faster depends on the matrices: both are the yardstick.
_CSR, _DCSR, _COO = (
    make(BRANCHLESS) for make in (lists.csr_pairs, lists.dcsr_pairs, lists.coo_pairs)
)
MORE: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("csr", "list"): {"hand, branchless": _CSR[0], "hand, scattered": lists.csr_scattered},
    ("csr", "self"): {"hand, branchless": _CSR[1]},
    ("dcsr", "list"): {"hand, branchless": _DCSR[0]},
    ("dcsr", "self"): {"hand, branchless": _DCSR[1]},
    ("coo", "list"): {"hand, branchless": _COO[0]},
    ("coo", "self"): {"hand, branchless": _COO[1]},
}

OPERATIONS: Final = ("dense", "list", "self")


def kernels(name: str, operation: str) -> dict[str, Any]:
    """Return the kernels by hand for a format and an operation, by their name in the table."""
    first = KERNELS[name][OPERATIONS.index(operation)]
    return {"handwritten": first, **MORE.get((name, operation), {})}
