"""Genotypes of PLINK 1: a .bed file of two bits each, beside .bim and .fam.

These two have a line for each variant and for each sample.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from structarr._storage.tensor import Tensor
from structarr.errors import FormatError
from structarr.formats import parse
from structarr.formats.entries import Array
from structarr.interop.files import replacing
from structarr.interop.followed_files import told
from structarr.interop.foreign import AsStored
from structarr.interop.foreign_files import check_announced

_MAGIC: Final = b"\x6c\x1b\x01"
_COUNTS: Final = np.array([2, np.nan, 1, 0], np.float32)
"""How many first alleles each two bits mean; 1 is a missing genotype."""

_CODES: Final = {2.0: 0, 1.0: 2, 0.0: 3}
_PIECE: Final = 1 << 24
"""Genotypes that are unpacked at a time."""


def read(path: Path) -> Tensor:
    """
    Return samples by variants as float32 "csc": counts of the first allele, NaN where missing.

    Raises
    ------
    FormatError
        If .bim or .fam is not there, or the file is not as long as they say.
    """
    samples, variants = (_lines(path.with_suffix(suffix)) for suffix in (".fam", ".bim"))
    width = -(-samples // 4)
    there, needed = path.stat().st_size, 3 + width * variants
    with open(path, "rb") as file:
        if file.read(3) != _MAGIC:
            raise FormatError("it does not begin as a .bed file that is stored by variants does")
    if there != needed:
        raise FormatError(
            f"it has {there} bytes, and {samples} samples of {variants} variants take {needed}"
        )
    packed = np.memmap(path, np.uint8, "r", 3, (variants, width)) if needed > 3 else None
    return _entries(packed, samples, variants)


def _entries(packed: Array | None, samples: int, variants: int) -> Tensor:
    counts, rows, values = [np.zeros(1, np.int64)], [], []
    step, kept = max(1, _PIECE // max(samples, 1)), 0
    for first in range(0, variants if packed is not None else 0, step):
        assert packed is not None
        told(first / variants)
        part = packed[first : first + step]
        codes = (part[:, :, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3
        codes = codes.reshape(len(part), -1)[:, :samples]
        variant, sample = np.nonzero(codes != 3)
        kept += len(sample)
        check_announced(12.0 * kept, "what is not zero")
        counts.append(np.bincount(variant, minlength=len(part)))
        rows.append(sample.astype(np.int64))
        values.append(_COUNTS[codes[variant, sample]])
    ptr = np.cumsum(np.concatenate(counts))
    if packed is None:
        ptr = np.zeros(variants + 1, np.int64)
    idx = np.concatenate([np.zeros(0, np.int64), *rows])
    val = np.concatenate([np.zeros(0, np.float32), *values])
    return Tensor.checked(parse("csc", 2, "int64"), (samples, variants), 0, (ptr, idx, val))


def _lines(path: Path) -> int:
    try:
        with open(path, "rb") as file:
            return sum(1 for line in file if line.strip())
    except FileNotFoundError:
        raise FormatError(f"{path.name} has to lie beside it, with a line for each") from None


def write(path: Path, stored: AsStored) -> None:
    """
    Write counts of 0, 1, 2 and NaN; .bim and .fam are made where there are none.

    Raises
    ------
    FormatError
        If there are not two axes, or other numbers.
    """
    tensor = stored(None)
    if tensor.ndim != 2 or tensor.fill != 0:
        raise FormatError(
            "genotypes are a matrix of samples by variants, 0 where nothing is stored"
        )
    samples, variants = tensor.shape
    ptr, idx, val = stored("csc").buffers
    codes = np.full(len(val), -1, np.int8)
    for count, code in _CODES.items():
        codes[val == count] = code
    codes[np.isnan(val)] = 1
    if np.any(codes < 0):
        raise FormatError(f"{val[codes < 0][0]} is no count of alleles: there are 0, 1, 2 and NaN")
    for suffix, count, line in (
        (".fam", samples, "0 s{} 0 0 0 -9\n"),
        (".bim", variants, "0 v{} 0 0 A B\n"),
    ):
        beside = path.with_suffix(suffix)
        if not beside.exists():
            beside.write_text("".join(line.format(one) for one in range(count)), encoding="ascii")
        elif _lines(beside) != count:
            raise FormatError(f"{beside.name} has {_lines(beside)} lines, not {count}")
    with replacing(path) as file:
        file.write(_MAGIC)
        for variant in range(variants):
            row = np.full(-(-samples // 4) * 4, 3, np.uint8)
            own = slice(ptr[variant], ptr[variant + 1])
            row[idx[own]] = codes[own]
            row[samples:] = 0
            four = row.reshape(-1, 4)
            file.write(bytes(four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6))
