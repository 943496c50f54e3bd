"""The C that TACO writes for two of the programs, compiled where there is a C compiler."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.peers import left_out
from benchmarks.programs import Peer, values

SOURCE: Final = """
#include <stdint.h>
#define TACO_MIN(a, b) ((a) < (b) ? (a) : (b))

void spmspv(double* y, int32_t n, const int32_t* A2_pos, const int32_t* A2_crd, const double* A,
            const int32_t* x1_crd, const double* x, int32_t x1_end) {
  for (int32_t i = 0; i < n; i++) {
    double t = 0.0;
    int32_t jA = A2_pos[i], pA2_end = A2_pos[i + 1], jx = 0;
    while (jA < pA2_end && jx < x1_end) {
      int32_t jA0 = A2_crd[jA], jx0 = x1_crd[jx];
      int32_t j = TACO_MIN(jA0, jx0);
      if (jA0 == j && jx0 == j) t += A[jA] * x[jx];
      jA += (int32_t)(jA0 == j);
      jx += (int32_t)(jx0 == j);
    }
    y[i] = t;
  }
}

int64_t triangles(int32_t n, const int32_t* pos, const int32_t* crd) {
  int64_t c = 0;
  for (int32_t i = 0; i < n; i++) {
    for (int32_t e = pos[i]; e < pos[i + 1]; e++) {
      int32_t j = crd[e];
      int32_t p = pos[i], p_end = pos[i + 1], q = pos[j], q_end = pos[j + 1];
      while (p < p_end && q < q_end) {
        int32_t p0 = crd[p], q0 = crd[q];
        int32_t k = TACO_MIN(p0, q0);
        if (p0 == k && q0 == k) c++;
        p += (int32_t)(p0 == k);
        q += (int32_t)(q0 == k);
      }
    }
  }
  return c;
}
"""
FLAGS: Final = ("-O3", "-ffast-math", "-march=native", "-std=c99", "-fPIC")


@cache
def compiled() -> Any:
    """Return the library, or None without a C compiler, which a line on stderr says once."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        left_out("TACO's C (there is no compiler)", "install one, or name it in CC")
        return None
    folder = Path(tempfile.mkdtemp(prefix="structarr-taco-"))
    try:
        (folder / "taco.c").write_text(SOURCE)
        source, binary, library = (str(folder / f"taco.{suffix}") for suffix in ("c", "o", "so"))
        # Linked with -ffast-math, a library makes whoever loads it flush subnormal numbers.
        for command in ([*FLAGS, "-c", source, "-o", binary], ["-shared", binary, "-o", library]):
            subprocess.run([compiler, *command], check=True, capture_output=True)
        loaded = ctypes.CDLL(library)
    except (subprocess.CalledProcessError, OSError) as error:
        left_out(f"TACO's C ({error})", "name another compiler in CC")
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    loaded.triangles.restype = ctypes.c_int64
    return loaded


def product(rows: int, a: Sequence[Any], x: Sequence[Any]) -> dict[str, Peer]:
    """Return the peer that multiplies a CSR matrix by a list, of their buffers."""
    if (library := compiled()) is None:
        return {}
    y = np.zeros(rows)
    kept = [y, *(_plain(buffer) for buffer in (*a, *x))]
    at, *others = map(_pointer, kept)
    call = partial(library.spmspv, at, rows, *others, len(kept[-1]))
    return {"TACO's C": Peer(call, lambda: kept[:1])}  # which keeps all of them


def triangles(nodes: int, edges: Sequence[Any]) -> dict[str, Peer]:
    """Return the peer that counts the triangles of a pattern, of its buffers."""
    if (library := compiled()) is None:
        return {}
    kept = [_plain(buffer) for buffer in edges]

    def call() -> int:
        return int(library.triangles(nodes, *map(_pointer, kept)))

    return {"TACO's C": values(call)}


def _plain(buffer: Any) -> Any:
    """Coordinates of 32 bits, as TACO has them."""
    return np.ascontiguousarray(buffer, np.int32 if buffer.dtype.kind in "iu" else np.float64)


def _pointer(buffer: Any) -> Any:
    return ctypes.c_void_p(buffer.ctypes.data)
