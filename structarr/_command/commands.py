"""The commands, each of which returns its findings as data for JSON and as text."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

from structarr._api.creation.foreign_files import read, write
from structarr._api.programs.common_kernels import warm as _warm
from structarr._api.programs.explaining import explain as _explain
from structarr._api.programs.spying import spy as _spy
from structarr._api.programs.versions import versions as _versions
from structarr._array import stored
from structarr._calibrate import calibrate as _calibrate
from structarr._compiler.backend.disk.folder import directory
from structarr._compiler.progress import followed
from structarr._storage.auto_format import candidates, choose, is_vast, table
from structarr._storage.display import show
from structarr._storage.statistics import measure
from structarr.errors import FormatError
from structarr.formats import name_of

Told: TypeAlias = tuple[Any, str]


def info(asked: Namespace) -> Told:
    """The structure of a file's array, its bytes in each format, and which `auto` takes."""
    tensor = stored(read(asked.file))
    measures = None if is_vast(tensor) else measure(tensor)
    auto = choose(tensor).name
    text = [show(tensor)]
    if measures is not None:
        text.append("bytes by format, as a multiple of the least:\n" + table(measures))
    sizes = {} if measures is None else {one.name: one.nbytes for one in candidates(measures)}
    return {**_facts(tensor), "auto": auto, "formats": sizes}, "\n\n".join(
        [*text, f'format="auto" takes {auto}']
    )


def _facts(tensor: Any) -> dict[str, Any]:
    return {
        "format": name_of(tensor.format),
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype),
        "fill": str(tensor.fill),
        "stored": tensor.nstored,
        "bytes": tensor.nbytes,
        "dense_bytes": prod(tensor.shape) * tensor.dtype.itemsize,
    }


def convert(asked: Namespace) -> Told:
    """A file's array in another format, in another file."""
    array = read(asked.file)
    made = array.asformat(asked.format) if asked.format else array
    write(asked.to, made)
    tensor = stored(made)
    data = {**_facts(tensor), "file": asked.to, "bytes_before": stored(array).nbytes}
    return data, f"{asked.to}: {tensor.summary()}, before {stored(array).nbytes:,} bytes"


def spy(asked: Namespace) -> Told:
    """A picture of where a file's array stores something."""
    array = read(asked.file)
    ax = _spy(array, bins=asked.bins)
    ax.figure.savefig(asked.to, bbox_inches="tight")
    return {"file": asked.to, "title": ax.get_title()}, f"{asked.to}: {ax.get_title()}"


def explain(asked: Namespace) -> Told:
    """The plan and the kernel of a program of loops, on arrays of files."""
    operands: dict[str, Any] = {}
    for pair in asked.operands:
        name, equals, file = pair.partition("=")
        if not (equals and name.isidentifier()):
            raise FormatError(f"operand {pair!r}: write NAME=FILE")
        operands[name] = read(file)
    found: Any = _explain(asked.program, **operands)
    if asked.html:
        found.to_html(asked.html)
    data = {
        "inputs": found.inputs,
        "results": found.results,
        "cin": found.cin,
        "steps": int(found.cost),
        "kernel": found.kernel,
    }
    return data, str(found)


def cache_list(asked: Namespace) -> Told:
    """The sizes of the caches on disk, by kind."""
    sizes, counts = Counter[str](), Counter[str]()
    for path in _kept():
        with suppress(OSError):  # another process may remove it meanwhile
            sizes[path.suffix] += path.stat().st_size
            counts[path.suffix] += 1
    folder = str(directory() or "")
    files, size = sum(counts.values()), sum(sizes.values())
    kinds = {kind: {"files": counts[kind], "bytes": sizes[kind]} for kind in sorted(counts)}
    data = {"folder": folder, "files": files, "bytes": size, "kinds": kinds}
    lines = [folder or "there is no safe place for a folder; set STRUCTARR_CACHE_DIR"]
    rows = [*((kind, counts[kind], sizes[kind]) for kind in kinds), ("all", files, size)]
    lines += [f"{kind:8} {count:>7,} files {each:>14,} bytes" for kind, count, each in rows]
    return data, "\n".join(lines)


def cache_clear(asked: Namespace) -> Told:
    """Removal of the caches on disk; measured times of the machine stay."""
    files = size = 0
    for path in _kept():
        with suppress(OSError):
            size += path.stat().st_size
            path.unlink()
            files += 1
    return {"files": files, "bytes": size}, f"removed {files:,} files of {size:,} bytes"


def _kept() -> list[Path]:
    """The files of kernels and plans."""
    folder = directory()
    found = () if folder is None else folder.rglob("*")
    return sorted(one for one in found if one.suffix != ".json" and one.is_file())


def versions(asked: Namespace) -> Told:
    """The versions of what is installed, the machine, the cache and the options."""
    told = _versions()
    width = max(map(len, told))
    return told, "\n".join(f"{name:{width}}  {text}" for name, text in told.items())


def calibrate(asked: Namespace) -> Told:
    """The times of this machine by which programs are chosen, measured and kept."""
    found = _calibrate(asked.seconds)
    lines = [f"{'nanoseconds':12} {'default':>10} {'measured':>10}"]
    lines += [f"{name:12} {default:10.3g} {measured:10.3g}" for name, default, measured in found]
    return {name: measured for name, _, measured in found}, "\n".join(lines)


def warm(asked: Namespace) -> Told:
    """The commonest kernels of some formats and dtypes, compiled and kept on disk."""
    with followed("warming") as follow:
        found = _warm(
            asked.formats,
            asked.dtypes,
            progress=lambda number, count, text: follow(number / count, text),
        )
    return {"kernels": found}, f"{found} kernels compiled or loaded"
