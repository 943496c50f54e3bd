"""Cases of regret: loops that nobody looks at between their steps, as textbooks have them."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

STEPS: Final = 6


def _loop(
    family: str, start: str, step: str, result: str, lasting: str, square: bool = False
) -> Case:
    """
    The case of a loop.

    Parameters
    ----------
    family, result : str
        As of a case.
    start, step : str
        What is done once before, and at each step.
    lasting : str
        The names of the arrays that an expert would compute at each step, between spaces.
    square : bool
        Whether the matrix must be square.
    """
    computed = [f"{name} = {name}.compute()" for name in lasting.split()]
    text = "; ".join([start, *[step] * STEPS, result])
    hand = "; ".join([start, *[step, *computed] * STEPS, result])
    return Case(family, text, (hand,), (text,), square=square)


CASES: Final = (
    _loop(
        "conjugate gradients",
        "z = x * 0; r = x; p = r; rr = (r * r).sum()",
        "q = A.T @ (A @ p) + p; a = rr / (p * q).sum(); z = z + a * p; r = r - a * q; "
        "new = (r * r).sum(); p = r + (new / rr) * p; rr = new",
        "z",
        "q z r p",
    ),
    _loop(
        "power iteration",
        "z = xp",
        "z = N.T @ (N @ z); z = z / np.sqrt((z * z).sum())",
        "z",
        "z",
    ),
    _loop("restarts", "z = xp", "z = l * (P @ z) + (1 - l) * xp", "z", "z", square=True),
    _loop(
        "gradient descent",
        "z = w",
        "z = z - 0.001 * (A.T @ (A @ z - u)) - 0.0001 * z",
        "z",
        "z",
    ),
    _loop(
        "soft thresholds",
        "z = w",
        "t = z - 0.001 * (A.T @ (A @ z - u)); z = np.sign(t) * np.maximum(np.abs(t) - 0.01, 0)",
        "z",
        "t z",
    ),
    _loop(
        "logistic regression",
        "z = w * 0",
        "p = 1 / (1 + np.exp(-(A @ z))); z = z - 0.01 * (A.T @ (p - (u > 0)))",
        "z",
        "p z",
    ),
    _loop(
        "Chebyshev",
        "a = x; b = l * (P @ x); z = a + b",
        "t = 2 * l * (P @ b) - a; a = b; b = t; z = z + t",
        "z",
        "t z",
        square=True,
    ),
    _loop(
        "label propagation",
        "z = Yp",
        "z = G @ z; z = z / np.maximum(z.sum(axis=1, keepdims=True), 1)",
        "z",
        "z",
        square=True,
    ),
    _loop(
        "hubs and authorities",
        "h = xp",
        "a = G.T @ h; a = a / np.sqrt((a * a).sum()); h = G @ a; h = h / np.sqrt((h * h).sum())",
        "h",
        "a h",
        square=True,
    ),
    _loop(
        "scaling of rows and columns",
        "z = vp",
        "y = 1 / (N.T @ z + 1); z = 1 / (N @ y + 1)",
        "z",
        "y z",
    ),
)
