"""``python -m structarr.testing inputs``: corrupted buffers and files, refused or read alike.

Buffers of arrays in random formats are changed at random, and so are the bytes of files. Whoever
takes them has to refuse them by name; what is taken has to read the same by listing and by kernels.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._array import of_tensor, stored
from structarr._storage.tensor import Tensor
from structarr._testing import corrupted_files
from structarr._testing.case import differ
from structarr._testing.fuzz.memory import bounded
from structarr._testing.fuzz.operands import Pool, random_operand
from structarr._testing.fuzz.trees import random_format
from structarr.errors import FormatError
from structarr.formats import Format
from structarr.formats.entries import Array

BLOCK: Final = 512  # inputs that are copies of a few arrays
EACH: Final = 3  # arrays of a block of about one format
FILES: Final = 0.4  # the share of corrupted files
FOREIGN: Final = 0.3  # of these, the share of other programs' files
REFUSALS: Final = (FormatError, TypeError, ValueError, OSError)
"""How an input may be refused; of a ValueError the message is looked at by people."""

VALUES: Final = (-2, -1, 0, 1, 2, 3, 5, 127, 2**31 - 1, 2**31, 2**63 - 1, -(2**63), -(2**31))


def main(words: Sequence[str]) -> int:
    """Run the command, and return the status: 1 if something failed."""
    parser = argparse.ArgumentParser(
        prog="python -m structarr.testing inputs",
        description="Corrupt buffers and files at random, and see them refused or read alike.",
    )
    parser.add_argument("--count", type=int, default=10_000, help="how many (10000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first (0)")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (0)")
    parser.add_argument("--minutes", type=float, default=10.0, help="end after so long (10)")
    given = parser.parse_args(words)
    warnings.simplefilter("ignore")
    told: Counter[str] = Counter()
    end = time.monotonic() + 60 * given.minutes
    for number in range(given.first, given.first + given.count):
        if time.monotonic() > end:
            print(f"the time is over: ended before {number}")
            break
        try:
            with bounded():  # more than that for a small input is a failure
                told[tried(given.seed, number)] += 1
        except Exception:
            told["failed"] += 1
            print(f"FAILED {given.seed}:{number}\n{traceback.format_exc()}", file=sys.stderr)
    print(f"{told.total()} inputs: {', '.join(f'{n} {what}' for what, n in told.most_common())}")
    return int(bool(told["failed"]))


def tried(seed: int, number: int) -> str:
    """Corrupt one input; return what became of it."""
    rng = np.random.default_rng([seed, number])
    arrays = _arrays(seed, number // BLOCK)
    array = arrays[int(rng.integers(len(arrays)))]
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        return (_file if rng.random() < FILES else _buffers)(rng, array)


@lru_cache(1)
def _arrays(seed: int, block: int) -> tuple[Any, ...]:
    """The arrays of a block, in random formats, of which inputs are copies that are corrupted."""
    rng = np.random.default_rng([seed, block])
    dtypes = tuple(map(np.dtype, ("float64", "int64", "float32", "bool")))
    formats = tuple(random_format(rng, (4,) * ndim, "float64") for ndim in (1, 1, 2, 2, 2, 3))
    pool = Pool(formats, dtypes)
    with sa.options(tier="interpreted"), np.errstate(all="ignore"):
        return tuple([_array(rng, format, pool) for format in formats for _ in range(EACH)])


def _array(rng: np.random.Generator, format: Format, pool: Pool) -> Any:
    operand = random_operand(rng, "a", (4,) * format.ndim, pool=pool)
    while operand.kind != "ours":
        operand = random_operand(rng, "a", (4,) * format.ndim, pool=pool)
    return operand.given().compute()


def _buffers(rng: np.random.Generator, array: Any) -> str:
    tensor = stored(array)
    buffers = [one.copy() for one in tensor.buffers]
    for place in rng.integers(len(buffers), size=int(rng.integers(1, 3))):
        buffers[place] = _changed(rng, buffers[place])
    shape = tensor.shape if rng.random() < 0.9 else _other_shape(rng, tensor.shape)
    try:
        found = Tensor.checked(tensor.format, shape, tensor.fill, buffers, tensor.dtype)
    except REFUSALS:
        return "refused"
    return _read(of_tensor(found))


def _changed(rng: np.random.Generator, buffer: Array) -> Array:
    """A buffer that is wrong, or that lies otherwise in memory."""
    buffer, draw = buffer.copy(), int(rng.integers(12))
    if draw < 5 and buffer.size:
        for place in rng.integers(buffer.size, size=int(rng.integers(1, 3))):
            value = VALUES[int(rng.integers(len(VALUES)))]
            buffer[place] = np.array(value).astype(buffer.dtype)
    elif draw == 5 and buffer.size:
        raw = rng.bytes(buffer.nbytes)
        buffer = np.frombuffer(raw, buffer.dtype if buffer.dtype != bool else np.int8)
    elif draw == 6:
        buffer = buffer[: int(rng.integers(buffer.size + 1))]
    elif draw == 7:
        buffer = np.concatenate([buffer, buffer[-1:], buffer[:1]])
    elif draw == 8:
        buffer = buffer.astype(str(rng.choice(("int8", "uint64", "float32", ">i8", "complex128"))))
    elif draw == 9:
        buffer = np.frombuffer(b"0" + buffer.tobytes(), buffer.dtype, offset=1)  # unaligned
    elif draw == 10:
        buffer = np.stack([buffer, buffer], axis=-1)[..., 0]  # with gaps
    else:
        buffer = rng.permutation(buffer)
    return buffer


def _other_shape(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, ...]:
    lengths = (0, 1, 3, 5, 2**31, 2**63 - 1, -1)
    return tuple(lengths[int(rng.integers(len(lengths)))] for _ in shape)


def _file(rng: np.random.Generator, array: Any) -> str:
    """Read a file that is corrupted."""
    with TemporaryDirectory() as folder:
        if rng.random() < FOREIGN:
            path, kind = corrupted_files.foreign(rng, Path(folder), array)
            read = partial(sa.read, path, kind=kind)
        else:
            mapped = bool(rng.random() < 0.3) and sys.platform != "win32"
            read = partial(sa.load, corrupted_files.own(rng, Path(folder), array), mmap=mapped)
        try:
            found = read()
            _ = stored(found).buffers  # those of mapped files are checked when they are asked for
        except REFUSALS:
            return "refused"
        return _read(found)


def _read(array: Any) -> str:
    """Compare what an input lists with what kernels read of it."""
    if np.prod(np.maximum(array.shape, 1), dtype=float) > BLOCK:
        return "taken, too large to compare"
    listed = array.todense()
    differ((array * 1).todense(), np.asarray(listed * 1))
    return "read alike"
