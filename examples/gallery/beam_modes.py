"""How a beam swings: the lowest modes of a matrix of three and more diagonals.

Stored as diagonals; inverse iteration solves with it, and products with it are checked.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from shared import FIRST, matrix, picture

import structarr as sa


def main() -> None:
    a = matrix("hb/nos2").asformat("dia")  # the biharmonic operator on a beam

    banded = np.zeros((5, a.shape[0]))  # SciPy's form: a row for each diagonal above the main one
    for k in range(5):
        banded[4 - k, k:] = np.asarray(sa.diagonal(a, k))
    values, modes = scipy.linalg.eig_banded(banded, select="i", select_range=(0, 5))

    energies = (modes * (a @ modes)).sum(axis=0)  # Rayleigh's quotients, in one kernel
    np.testing.assert_allclose(np.asarray(energies), values, rtol=1e-3)
    picture(draw, a, np.asarray(modes), np.asarray(energies))


def draw(figure: Any, a: sa.Array, modes: Any, energies: Any) -> None:
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.8))
    sa.spy(a[:60, :60], left)
    left.set_title(f"the corner of {a.shape}: {a.format}, {a.nbytes // 1000} kB")
    for k, mode in enumerate(modes.T):
        moves = max(mode.reshape(-1, 3).T, key=np.linalg.norm)  # along, across, or turning
        right.plot(0.4 * moves / np.abs(moves).max() - k, color=FIRST)
    right.set_yticks(-np.arange(6), [f"{np.sqrt(energy):.3g}" for energy in energies])
    right.set(xlabel="along the beam", title="modes, by their frequencies")


if __name__ == "__main__":
    main()
