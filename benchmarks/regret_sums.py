"""Cases of regret: centred matrices, elementwise expressions, masked and sampled products."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_SQUARES = "like(A, A.data * A.data)"
_SAMPLED = "like(A, A.data * at_entries(A, U, Y))"

CENTRED: Final = (
    Case("centred", "(A - mu) @ x", ("A @ x - mu @ x",), ("A @ x - mu @ x",)),
    Case("centred", "(A - mu) @ Y", ("A @ Y - mu @ Y",), ("A @ Y - mu @ Y",)),
    Case("centred", "(A - mu).T @ v", ("A.T @ v - mu * v.sum()",), ("A.T @ v - mu * v.sum()",)),
    Case(
        "centred",
        "(A - mu).T @ (A - mu)",
        ("c = np.outer(mu, A.sum(axis=0)); (A.T @ A).todense() - c - c.T + m * np.outer(mu, mu)",),
        ("c = np.outer(mu, A.sum(axis=0)); (A.T @ A).toarray() - c - c.T + m * np.outer(mu, mu)",),
        most=2000,
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
        most=2000,
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
        most=2000,
    ),
    Case(
        "shifted",
        "(A + l * np.eye(n)) @ x",
        ("A @ x + l * x",),
        ("A @ x + l * x",),
        square=True,
        most=2000,
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

ELEMENTWISE: Final = (
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
    Case("scaled", "np.diag(v) @ A @ x", ("v * (A @ x)",), ("v * (A @ x)",), most=2000),
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
            "c = np.log(m / (1 + np.bincount(A.indices, minlength=n))); like(A, A.data * c[A.indices])",
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

MASKED: Final = (
    Case("masked product", "(A @ B) * A", ("A * (A @ B)",), ("(A @ B).multiply(A)",), square=True),
    Case(
        "masked product",
        "(A @ B.T) * (A @ A.T)",
        ("t = (A @ A.T).compute(); t * (A @ B.T)",),
        ("(A @ B.T).multiply(A @ A.T)",),
    ),
    Case(
        "masked product",
        "((A @ B) * C).sum(axis=1)",
        (),
        ("(A @ B).multiply(C).sum(axis=1)",),
        square=True,
    ),
    Case("masked product", "((A @ B) * C) @ x", (), ("(A @ B).multiply(C) @ x",), square=True),
    Case(
        "masked product",
        "np.where(A != 0, A @ B, 0)",
        (),
        ("(A @ B).multiply(like(A, A.data != 0))",),
        square=True,
    ),
    Case(
        "sampled product",
        "A * (K @ L)",
        ("A * (sa.asarray(K) @ sa.asarray(L))",),
        ("like(A, A.data * at_entries(A, K, L.T))", "A.multiply(K @ L)"),
    ),
    Case(
        "sampled product",
        "(A * (K @ L)) @ Y",
        ("(A * (sa.asarray(K) @ sa.asarray(L))) @ Y",),
        ("like(A, A.data * at_entries(A, K, L.T)) @ Y", "A.multiply(K @ L) @ Y"),
    ),
    Case(
        "sampled product",
        "A * (U @ Y.T)",
        ("A * (sa.asarray(U) @ sa.asarray(Y).T)",),
        (_SAMPLED, "A.multiply(U @ Y.T)"),
    ),
    Case(
        "sampled product",
        "(A * (U @ Y.T)) @ Z",
        ("(A * (sa.asarray(U) @ sa.asarray(Y).T)).compute() @ Z",),
        (f"{_SAMPLED} @ Z",),
    ),
    Case(
        "sampled product",
        "(A * (U @ Y.T)).sum(axis=1)",
        ("t = (A @ Y).compute(); (U * t).sum(axis=1)",),
        ("(U * (A @ Y)).sum(axis=1)",),
    ),
    Case(
        "sampled product",
        "(A * (U @ Y.T)).sum()",
        ("(U * (A @ Y)).sum()",),
        ("(U * (A @ Y)).sum()",),
    ),
    Case(
        "sampled product",
        "A * B * (U @ Y.T)",
        ("t = (A * B).compute(); t * (sa.asarray(U) @ sa.asarray(Y).T)",),
        ("t = A.multiply(B).tocsr(); like(t, t.data * at_entries(t, U, Y))",),
    ),
    Case(
        "sampled product",
        "(A * (U @ Y.T)).T @ V",
        ("(A * (sa.asarray(U) @ sa.asarray(Y).T)).compute().T @ V",),
        (f"({_SAMPLED}).T @ V",),
    ),
    Case(
        "factorization",
        "(A - U @ Y.T) * (A != 0)",
        ("A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)",),
        ("like(A, A.data - at_entries(A, U, Y))",),
    ),
    Case(
        "factorization",
        "(((A - U @ Y.T) * (A != 0)) ** 2).sum()",
        ("t = (A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)).compute(); (t * t).sum()",),
        ("t = A.data - at_entries(A, U, Y); t @ t",),
    ),
    Case(
        "factorization",
        "((A - U @ Y.T) * (A != 0)) @ Y",
        ("t = (A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)).compute(); t @ Y",),
        ("like(A, A.data - at_entries(A, U, Y)) @ Y",),
    ),
    Case(
        "factorization",
        "(N / (Up @ Yp.T)) @ Yp",
        ("t = (N / (sa.asarray(Up) @ sa.asarray(Yp).T)).compute(); t @ Yp",),
        ("like(N, N.data / at_entries(N, Up, Yp)) @ Yp",),
    ),
    Case(
        "factorization",
        "(N * np.log(Up @ Yp.T)).sum()",
        ("(N * np.log(sa.asarray(Up) @ sa.asarray(Yp).T)).sum()",),
        ("N.data @ np.log(at_entries(N, Up, Yp))",),
    ),
    Case(
        "factorization",
        "Up * ((N @ Yp) / (Up @ (Yp.T @ Yp)))",
        ("t = (N @ Yp).compute(); Up * (t / (Up @ (Yp.T @ Yp)))",),
        ("Up * ((N @ Yp) / (Up @ (Yp.T @ Yp)))",),
    ),
    Case(
        "attention",
        "W = np.where(A != 0, np.exp(U @ Y.T), 0); W / (l + W.sum(axis=1, keepdims=True))",
        (
            "W = ((A != 0) * np.exp(sa.asarray(U) @ sa.asarray(Y).T)).compute(); "
            "W / (l + W.sum(axis=1, keepdims=True))",
        ),
        (
            "W = like(A, np.exp(at_entries(A, U, Y))); "
            "like(W, W.data / np.repeat(l + W.sum(axis=1), np.diff(W.indptr)))",
        ),
    ),
    Case(
        "attention",
        "W = np.where(A != 0, np.exp(U @ Y.T), 0); (W / (l + W.sum(axis=1, keepdims=True))) @ Z",
        (
            "W = ((A != 0) * np.exp(sa.asarray(U) @ sa.asarray(Y).T)).compute(); "
            "(W @ Z) / (l + W.sum(axis=1)).compute()[:, None]",
        ),
        ("W = like(A, np.exp(at_entries(A, U, Y))); (W @ Z) / (l + W.sum(axis=1))[:, None]",),
    ),
)

CASES: Final = (*CENTRED, *ELEMENTWISE, *MASKED)
