"""
The pictures of the pages about looplets and formats, drawn by the library itself.

``python docs/explanation/pictures.py`` writes all of them beside this file, in SVG.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import structarr as sa
from structarr._array import stored
from structarr._compiler.looplets.base import Looplet
from structarr._explain.drawing import drawing
from structarr._explain.loop_nests import nests
from structarr._explain.strip import strip
from structarr._explain.style import STYLE

HERE = Path(__file__).resolve().parent
KINDS = ("runs", "blocks", "single", "rule", "full")
LIGHT = dict(re.findall(r"--(\w+): (#\w+)", STYLE.split("@media")[0]))


def written(name: str, svg: str) -> None:
    """Write an SVG element as a file, with the colours of the light scheme."""
    rules = "".join(f".{kind}{{fill:{LIGHT[kind]}}}" for kind in KINDS)
    soft, ink, line = LIGHT["soft"], LIGHT["ink"], LIGHT["line"]
    style = (
        f"text{{fill:{ink};font:11px sans-serif}}text.soft{{fill:{soft}}}line{{stroke:{line}}}"
        f".ground{{fill:{LIGHT['ground']};stroke:{line}}}.pale{{opacity:0.3}}{rules}"
    )
    head = '<svg xmlns="http://www.w3.org/2000/svg" '
    text = svg.replace("<svg ", head, 1).replace(">", f"><style>{style}</style>", 1)
    (HERE / f"{name}.svg").write_text(text + "\n", encoding="utf-8")


def looplets() -> dict[str, Looplet]:
    """Return a looplet of each kind, as kernels meet them."""
    a = np.zeros(12)
    a[[1, 4, 5, 9]] = 1, 2, 3, 4
    formats = ("list", "rle", "sparse-rle", "band", "vbl", "bitmap", "dense")
    found = {name: _first("s += a[i]", a=sa.asarray(a, format=name)) for name in formats}
    a_list = sa.asarray(a, format="list")
    found["gallop"] = _first("s += a[gallop(i)]", a=a_list)
    found["shift"] = _first("s += a[i + 3]", a=a_list, extents={"i": 9})
    found["run"] = found["rle"].body  # type: ignore[attr-defined]
    found["spike"] = found["list"].body  # type: ignore[attr-defined]
    return found


def _first(program: str, **given: Any) -> Looplet:
    """Return the looplet of the operand `a` in the first loop of a program."""
    explained = sa.explain(program, **given)
    (stage,) = explained.stages
    return next(
        seen.looplet
        for nest in nests(stage.told_loops, stage.order, "")
        for seen in nest.seen
        if seen.tensor in ("a", "A", "")
    )


def matrices() -> dict[str, np.ndarray]:
    """Return a matrix for each format that is drawn."""
    a = np.zeros((12, 24))
    a[2:5, 4:14] = 7.0
    a[6:8, 3:9] = [1, 2, 3, 4, 5, 6]
    a[9, [2, 11, 20]] = 1, 2, 3
    a[10, 15:22] = 7.0
    n = 10
    i, j = np.indices((n, n))
    own = {
        "dia": np.where((i == j) | (j == i + 2), i + 1.0, 0),
        "triu": np.where(i <= j, 1.0 + i, 0),
        "symmetric": 1.0 + np.minimum(i, j),
        "bsr": np.where((i // 2 + 2 * (j // 2)) % 5 == 0, 1.0 + i, 0),
        "ragged": np.where(j < (7 * i + 3) % 10, 1.0 + j, 0),
        "point": np.where(j == (3 * i + 1) % 10, 1.0, 0),
        "interval": np.where((j >= i // 2) & (j < i // 2 + 4), 5.0, 0),
    }
    return dict.fromkeys(("dense", "csr", "vbl", "band", "sparse-rle", "rle"), a) | own


def main() -> None:
    """Draw all."""
    with sa.options(tier="interpreted"):
        for name, looplet in looplets().items():
            written(f"looplet_{name}", strip(looplet))
        for name, matrix in matrices().items():
            written(f"formats_{name}", drawing(stored(sa.asarray(matrix, format=name))))


if __name__ == "__main__":
    main()
