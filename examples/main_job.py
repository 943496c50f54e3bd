"""The main job: plain NumPy calls on real matrices and images that have structure.

``./run demo`` runs it. For each of four expressions it prints the formats in and out, the bytes
stored, the kernel's main loop, the times, and the check against NumPy; it leaves a picture.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp
from job import Job
from kernels import main_loop
from picture import draw

import structarr as sa

ROOT = Path(__file__).resolve().parent.parent


def times_vector(data: Path) -> tuple[Job, Job]:
    """Return a matrix times a sparse vector, walking and galloping."""
    matrix = sp.csr_array(sp.load_npz(data / "hb/bcsstk16.npz"))
    n = matrix.shape[1]
    places = np.random.default_rng(7).choice(n, 40, replace=False)
    load = np.zeros(n)
    load[places] = 1.0
    a, x = sa.asarray(matrix), sa.asarray(load, format="list")
    column = sp.csc_array(load[:, None])

    def scipys() -> Any:
        return matrix @ column

    def check(y: Any) -> bool:
        return bool(np.allclose(y, matrix.toarray() @ load))

    walking = Job(
        "A stiffness matrix times a sparse load, walking: sa.walk(a) @ sa.walk(x)",
        {"a": a, "x": x}, lambda: sa.walk(a) @ sa.walk(x), "SciPy", scipys, check,
    )  # fmt: skip
    galloping = Job(
        "The same, galloping: sa.gallop(a) @ sa.gallop(x)",
        {"a": a, "x": x}, lambda: sa.gallop(a) @ sa.gallop(x), "SciPy", scipys, check,
    )  # fmt: skip
    return walking, galloping


def tapered(data: Path) -> Job:
    """Return a list times a band, entry by entry: a network tapered to a neighbourhood."""
    matrix = sp.csr_array(sp.load_npz(data / "hb/dwt_2680.npz"))
    offsets = np.arange(-150, 151)
    weights = np.exp(-((offsets / 75.0) ** 2))
    taper = sp.diags_array(weights, offsets=offsets, shape=matrix.shape).tocsr()
    a, t = sa.asarray(matrix), sa.asarray(taper).asformat("band")

    def check(product: Any) -> bool:
        return bool(np.array_equal(product, matrix.toarray() * taper.toarray()))

    return Job(
        "A list times a band, entry by entry: np.multiply(a, t)",
        {"a": a, "t": t}, lambda: np.multiply(a, t), "SciPy", lambda: matrix * taper, check,
    )  # fmt: skip


def blended(data: Path) -> Job:
    """Return two run-length sketches laid over one another."""
    with np.load(data / "images/humansketches_1111.npz") as stored:
        first, second = stored["images"][0], stored["images"][2]
    b, c = sa.asarray(first, format="rle"), sa.asarray(second, format="rle")

    def mix(b: Any, c: Any) -> Any:
        return np.round(0.6 * b + 0.4 * c).astype(np.uint8)

    def numpys() -> Any:
        return mix(first, second)

    return Job(
        "Two run-length sketches blended: np.round(0.6 * b + 0.4 * c).astype(np.uint8)",
        {"b": b, "c": c}, lambda: mix(b, c), "NumPy", numpys,
        lambda image: bool(np.array_equal(image, numpys())),
    )  # fmt: skip


def show(number: int, job: Job) -> bool:
    """Run a job and print what there is to know of it; return whether it is right."""
    print(f"\n{number}. {job.title}")
    for name, array in job.operands.items():
        print(f"   in      {name}: {described(array)}")
    first = job.run()
    print(f"   out     {described(job.result)}")
    print("   kernel  its main loop:")
    print(
        "\n".join(f"           | {line}" for line in main_loop(str(sa.explain(job.ours()).kernel)))
    )
    print(f"   first   {milliseconds(first)} for the first result", flush=True)
    print("           ... compiling, to time what comes after", flush=True)
    ours, theirs = job.time()
    print(
        f"   time    {milliseconds(ours)} against {job.peer}'s {milliseconds(theirs)}: "
        f"{theirs / ours:.1f} times as fast"
    )
    right = job.check(job.result.todense())
    print(f"   check   {'equal to NumPy' if right else 'WRONG: differs from NumPy'}", flush=True)
    return right


def described(array: Any) -> str:
    """Return an array's format, shape and size against a dense one's."""
    dense = array.size * array.itemsize
    shape = " x ".join(map(str, array.shape))
    return (
        f"{array.format} {shape} {array.dtype}, {array.nstored:,} stored in {array.nbytes:,} bytes "
        f"(dense {dense:,}: {dense / array.nbytes:.1f} times as many)"
    )


def milliseconds(seconds: float) -> str:
    """Return a time in milliseconds."""
    return f"{seconds * 1e3:.3g} ms"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--data", type=Path, default=ROOT / "data", help="the sample data")
    parser.add_argument("--out", type=Path, default=ROOT / "out", help="where the picture goes")
    options = parser.parse_args(arguments)
    start = perf_counter()
    jobs = (*times_vector(options.data), tapered(options.data), blended(options.data))
    with sa.options(progress=lambda text: print(f"           ... {text}", flush=True)):
        right = [show(number, job) for number, job in enumerate(jobs, start=1)]
    print("\n... drawing", flush=True)
    picture = draw(jobs, options.out / "main_job.png")
    print(f"picture {picture}")
    print(f"{sum(right)} of {len(right)} right, in {perf_counter() - start:.1f} s")
    return 0 if all(right) else 1


if __name__ == "__main__":
    raise SystemExit(main())
