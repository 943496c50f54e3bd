"""Cases of regret: elementwise expressions, scalings and norms."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_SQUARES = "like(A, A.data * A.data)"

CASES: Final = (
    Case("elementwise", "A @ w * v + v", ("t = (A @ w).compute(); t * v + v",), ("A @ w * v + v",)),
    Case("elementwise", "(A > 0) @ w", (), ("like(A, A.data > 0) @ w",)),
    Case("elementwise", "(2 * A + A * A) @ w", (), ("like(A, (2 + A.data) * A.data) @ w",)),
    Case("elementwise", "np.sqrt(np.abs(A)) @ x", (), ("like(A, np.sqrt(np.abs(A.data))) @ x",)),
    Case("elementwise", "(A * B) @ x", (), ("A.multiply(B) @ x",)),
    Case("elementwise", "(A + B) @ x", ("A @ x + B @ x",), ("A @ x + B @ x", "(A + B) @ x")),
    Case("elementwise", "(A * B + C).sum()", (), ("A.multiply(B).sum() + C.sum()",)),
    Case(
        "elementwise",
        "(A + B).sum(axis=0)",
        ("A.sum(axis=0) + B.sum(axis=0)",),
        ("A.sum(axis=0) + B.sum(axis=0)",),
    ),
    Case("elementwise", "(A * B).sum(axis=1)", (), ("A.multiply(B).sum(axis=1)",)),
    Case(
        "elementwise",
        "(A - B) @ (x - w)",
        ("t = x - w; A @ t - B @ t",),
        ("t = x - w; A @ t - B @ t",),
    ),
    Case("scaled", "(A * v[:, None]) @ x", ("v * (A @ x)",), ("v * (A @ x)",)),
    Case("scaled", "(A * w) @ x", ("t = w * x; A @ t",), ("A @ (w * x)",)),
    Case("scaled", "(v[:, None] * A * w).sum()", ("v @ A @ w",), ("v @ (A @ w)",)),
    Case("scaled", "np.diag(v_sa) @ A @ x", ("v * (A @ x)",), ("v * (A @ x)",)),
    Case(
        "scaled",
        "N / (l + N.sum(axis=1, keepdims=True)) @ x",
        ("r = (l + N.sum(axis=1)).compute(); (N @ x) / r",),
        ("(N @ x) / (l + N.sum(axis=1))",),
    ),
    Case(
        "scaled",
        "A * np.log(m / (1 + (A != 0).sum(axis=0)))",
        ("c = np.log(m / (1 + (A != 0).sum(axis=0))).compute(); A * c",),
        (
            "c = np.log(m / (1 + np.bincount(A.indices, minlength=n))); "
            "like(A, A.data * c[A.indices])",
        ),
    ),
    Case(
        "scaled",
        "vp / (N @ (xp / (N.T @ vp)))",
        ("t = (N.T @ vp).compute(); t = xp / t; t = t.compute(); vp / (N @ t)",),
        ("vp / (N @ (xp / (N.T @ vp)))",),
    ),
    Case("norm", "np.abs(A).sum(axis=1).max()", (), ("np.abs(A).sum(axis=1).max()",)),
    Case(
        "norm",
        "((A / s) ** 2).sum(axis=1)",
        ("(A * A) @ (1 / s**2)",),
        (f"{_SQUARES} @ (1 / s**2)",),
    ),
    Case(
        "norm",
        "r = np.sqrt(l + (A * A).sum(axis=1)); ((A @ x) / r).sum()",
        ("r = np.sqrt(l + (A * A).sum(axis=1)).compute(); ((A @ x) / r).sum()",),
        (f"((A @ x) / np.sqrt(l + {_SQUARES}.sum(axis=1))).sum()",),
    ),
    Case("norm", "(A @ x > 0).sum()", (), ("(A @ x > 0).sum()",)),
    Case("norm", "np.linalg.norm(A - B)", (), ("t = A - B; np.sqrt(t.data @ t.data)",)),
)
