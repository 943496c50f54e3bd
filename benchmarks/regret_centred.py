"""Cases of regret: centred and shifted matrices, and statistics."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_SQUARES = "like(A, A.data * A.data)"

CASES: Final = (
    Case("centred", "(A - mu) @ x", ("A @ x - mu @ x",), ("A @ x - mu @ x",)),
    Case("centred", "(A - mu) @ Y", ("A @ Y - mu @ Y",), ("A @ Y - mu @ Y",)),
    Case("centred", "(A - mu).T @ v", ("A.T @ v - mu * v.sum()",), ("A.T @ v - mu * v.sum()",)),
    Case(
        "centred",
        "(A - mu).T @ (A - mu)",
        ("c = np.outer(mu, A.sum(axis=0)); (A.T @ A).todense() - c - c.T + m * np.outer(mu, mu)",),
        ("c = np.outer(mu, A.sum(axis=0)); (A.T @ A).toarray() - c - c.T + m * np.outer(mu, mu)",),
        most=1500,
    ),
    Case(
        "centred",
        "((A - mu) / s).T @ U",
        ("((A.T @ U) - np.outer(mu, U.sum(axis=0))) / s[:, None]",),
        ("(A.T @ U - np.outer(mu, U.sum(axis=0))) / s[:, None]",),
    ),
    Case(
        "centred",
        "((A - mu) / s) @ x",
        ("t = x / s; A @ t - mu @ t",),
        ("t = x / s; A @ t - mu @ t",),
    ),
    Case(
        "centred",
        "(A - mu).T @ ((A - mu) @ x)",
        ("t = A @ x - mu @ x; A.T @ t - mu * t.sum()",),
        ("t = A @ x - mu @ x; A.T @ t - mu * t.sum()",),
    ),
    Case(
        "centred",
        "((A - mu) / s).T @ (((A - mu) / s) @ x)",
        ("t = x / s; t = A @ t - mu @ t; (A.T @ t - mu * t.sum()) / s",),
        ("t = x / s; t = A @ t - mu @ t; (A.T @ t - mu * t.sum()) / s",),
    ),
    Case(
        "centred",
        "(A - A.mean(axis=0)) @ Y",
        ("c = A.mean(axis=0).compute(); A @ Y - c @ Y",),
        ("A @ Y - A.mean(axis=0) @ Y",),
    ),
    Case(
        "centred",
        "((A - mu) ** 2).sum(axis=0)",
        ("(A * A).sum(axis=0) - 2 * mu * A.sum(axis=0) + m * mu**2",),
        (f"{_SQUARES}.sum(axis=0) - 2 * mu * A.sum(axis=0) + m * mu**2",),
    ),
    Case(
        "centred",
        "np.linalg.norm(A - mu)",
        ("np.sqrt((A * A).sum() - 2 * (mu * A.sum(axis=0)).sum() + m * (mu @ mu))",),
        ("np.sqrt(A.data @ A.data - 2 * (mu @ A.sum(axis=0)) + m * (mu @ mu))",),
    ),
    Case(
        "statistics",
        "np.var(A, axis=0)",
        ("c = A.mean(axis=0); (A * A).mean(axis=0) - c * c",),
        (f"c = A.mean(axis=0); {_SQUARES}.mean(axis=0) - c * c",),
    ),
    Case(
        "statistics",
        "np.std(A, axis=1)",
        ("c = A.mean(axis=1); np.sqrt((A * A).mean(axis=1) - c * c)",),
        (f"c = A.mean(axis=1); np.sqrt({_SQUARES}.mean(axis=1) - c * c)",),
    ),
    Case(
        "statistics",
        "np.cov(A, rowvar=False)",
        ("c = A.mean(axis=0).todense(); ((A.T @ A).todense() - m * np.outer(c, c)) / (m - 1)",),
        ("c = A.mean(axis=0); ((A.T @ A).toarray() - m * np.outer(c, c)) / (m - 1)",),
        most=1500,
    ),
    Case(
        "statistics",
        "np.corrcoef(A, rowvar=False)",
        (
            "c = A.mean(axis=0).todense(); c = (A.T @ A).todense() - m * np.outer(c, c); "
            "r = np.sqrt(np.diagonal(c)); c / np.outer(r, r)",
        ),
        (
            "c = A.mean(axis=0); c = (A.T @ A).toarray() - m * np.outer(c, c); "
            "r = np.sqrt(np.diagonal(c)); c / np.outer(r, r)",
        ),
        most=1500,
    ),
    Case(
        "shifted",
        "(A + l * I) @ x",
        ("A @ x + l * x",),
        ("A @ x + l * x",),
        square=True,
    ),
    Case("shifted", "(A + np.ones(n)).sum()", ("A.sum() + m * n",), ("A.sum() + m * n",)),
    Case(
        "shifted",
        "(A + v[:, None]).sum(axis=0)",
        ("A.sum(axis=0) + v.sum()",),
        ("A.sum(axis=0) + v.sum()",),
    ),
    Case("shifted", "(A + 1) @ x", ("A @ x + x.sum()",), ("A @ x + x.sum()",)),
    Case(
        "shifted",
        "np.exp(A).sum(axis=1)",
        ("np.expm1(A).sum(axis=1) + n",),
        ("like(A, np.expm1(A.data)).sum(axis=1) + n",),
    ),
    Case(
        "shifted",
        "np.exp(A) @ x",
        ("np.expm1(A) @ x + x.sum()",),
        ("like(A, np.expm1(A.data)) @ x + x.sum()",),
    ),
)
