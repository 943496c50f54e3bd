"""Cases of regret: matrices of low rank, layers of networks, Kronecker products."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

CASES: Final = (
    Case(
        "low rank",
        "(A + U_sa @ Y.T) @ x",
        ("t = Y.T @ x; A @ x + U @ t",),
        ("A @ x + U @ (Y.T @ x)",),
    ),
    Case(
        "low rank", "(A - U_sa @ Y.T) @ Z", ("A @ Z - U @ (Y.T @ Z)",), ("A @ Z - U @ (Y.T @ Z)",)
    ),
    Case(
        "low rank",
        "((A - U_sa @ Y.T) ** 2).sum()",
        ("(A * A).sum() - 2 * (U * (A @ Y)).sum() + ((U.T @ U) * (Y.T @ Y)).sum()",),
        ("A.data @ A.data - 2 * (U * (A @ Y)).sum() + ((U.T @ U) * (Y.T @ Y)).sum()",),
    ),
    Case(
        "low rank",
        "(A + np.outer(u_sa, w)) @ x",
        ("A @ x + u * (w @ x)",),
        ("A @ x + u * (w @ x)",),
    ),
    Case("low rank", "A @ Y @ Y.T @ x", ("t = Y @ (Y.T @ x); A @ t",), ("A @ (Y @ (Y.T @ x))",)),
    Case("low rank", "U.T @ A @ Y", ("t = (A @ Y).compute(); U.T @ t",), ("U.T @ (A @ Y)",)),
    Case(
        "low rank",
        "Y.T @ A.T @ A @ Y",
        ("t = (A @ Y).compute(); t.T @ t",),
        ("t = A @ Y; t.T @ t",),
    ),
    Case(
        "range finder",
        "A @ A.T @ A @ Y",
        ("t = (A @ Y).compute(); t = (A.T @ t).compute(); A @ t",),
        ("A @ (A.T @ (A @ Y))",),
    ),
    Case("range finder", "A @ (A.T @ U)", ("t = (A.T @ U).compute(); A @ t",), ("A @ (A.T @ U)",)),
    Case(
        "layer",
        "np.maximum(A @ w, 0)",
        ("t = (A @ w).compute(); np.maximum(t, 0)",),
        ("np.maximum(A @ w, 0)",),
    ),
    Case(
        "layer",
        "np.maximum(A @ Y @ D, 0)",
        ("t = Y @ D; np.maximum(A @ t, 0)", "t = (A @ Y).compute(); np.maximum(t @ D, 0)"),
        ("np.maximum(A @ (Y @ D), 0)", "np.maximum((A @ Y) @ D, 0)"),
    ),
    Case(
        "layer",
        "A @ np.maximum(A @ Y @ D, 0) @ D",
        ("t = np.maximum(A @ (Y @ D), 0).compute(); t = (A @ t).compute(); t @ D",),
        ("A @ (np.maximum(A @ (Y @ D), 0) @ D)",),
        square=True,
    ),
    Case("layer", "u * (A @ (w * x))", ("t = w * x; u * (A @ t)",), ("u * (A @ (w * x))",)),
    Case(
        "factorization machine",
        "0.5 * ((A @ Y) ** 2 - A**2 @ Y**2).sum(axis=1)",
        (
            "t = (A @ Y).compute(); r = ((A * A) @ (Y * Y)).compute(); "
            "0.5 * (t * t - r).sum(axis=1)",
        ),
        ("t = A @ Y; r = like(A, A.data**2) @ (Y * Y); 0.5 * (t * t - r).sum(axis=1)",),
    ),
    Case(
        "Kronecker",
        "np.kron(np.eye(2), A) @ xx",
        (
            "t = xx.reshape(2, n).T.copy(); (A @ t).T.reshape(2 * m)",
            "sa.concat([A @ xx[:n], A @ xx[n:]])",
        ),
        ("(A @ xx.reshape(2, n).T).T.ravel()", "np.concatenate([A @ xx[:n], A @ xx[n:]])"),
    ),
    Case(
        "Kronecker",
        "np.kron(A, np.eye(2)) @ xx",
        ("t = xx.reshape(n, 2); (A @ t).reshape(2 * m)",),
        ("(A @ xx.reshape(n, 2)).ravel()",),
    ),
)
