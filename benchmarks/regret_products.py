"""Cases of regret: products in chains, quadratic forms, traces, low rank, layers of networks."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_TWICE = "t = (A.T @ v).compute(); A @ t"
_TWICE_SCIPY = ("A @ (A.T @ v)", "A @ (v @ A)")
_BACK = "t = (A @ x).compute(); A.T @ t"
_BACK_SCIPY = ("A.T @ (A @ x)", "(A @ x) @ A")

CHAINS: Final = (
    Case("chain", "A @ A.T @ v", (_TWICE,), _TWICE_SCIPY),
    Case("chain", "A @ (A.T @ v)", (_TWICE,), _TWICE_SCIPY),
    Case(
        "chain",
        "A @ (A.T @ v) + l * v",
        ("t = (A.T @ v).compute(); A @ t + l * v",),
        ("A @ (A.T @ v) + l * v",),
    ),
    Case("normal equations", "A.T @ A @ x", (_BACK,), _BACK_SCIPY),
    Case("normal equations", "A.T @ (A @ x)", (_BACK,), _BACK_SCIPY),
    Case(
        "normal equations",
        "A.T @ (A @ x - u)",
        ("t = (A @ x - u).compute(); A.T @ t",),
        ("A.T @ (A @ x - u)",),
    ),
    Case(
        "normal equations",
        "x - l * (A.T @ (A @ x - u))",
        ("t = (A @ x - u).compute(); x - l * (A.T @ t)",),
        ("x - l * (A.T @ (A @ x - u))",),
    ),
    Case(
        "normal equations",
        "A.T @ (vp * (A @ x))",
        ("t = (vp * (A @ x)).compute(); A.T @ t",),
        ("A.T @ (vp * (A @ x))",),
    ),
    Case(
        "normal equations",
        "A.T @ (1 / (1 + np.exp(-(A @ x))) - v)",
        ("t = (1 / (1 + np.exp(-(A @ x))) - v).compute(); A.T @ t",),
        ("A.T @ (1 / (1 + np.exp(-(A @ x))) - v)",),
    ),
    Case(
        "ridge",
        "(A.T @ A + l * np.eye(n)) @ x",
        ("t = (A @ x).compute(); A.T @ t + l * x",),
        ("A.T @ (A @ x) + l * x",),
        most=2000,
    ),
    Case(
        "ridge",
        "(A @ A.T + l * np.eye(m)) @ v",
        ("t = (A.T @ v).compute(); A @ t + l * v",),
        ("A @ (A.T @ v) + l * v",),
        most=2000,
    ),
    Case(
        "ridge",
        "A.T @ A @ x + l * x",
        ("t = (A @ x).compute(); A.T @ t + l * x",),
        ("A.T @ (A @ x) + l * x",),
    ),
    Case(
        "ridge",
        "A.T @ (A @ x) + l * x - A.T @ u",
        ("t = (A @ x - u).compute(); A.T @ t + l * x",),
        ("A.T @ (A @ x - u) + l * x",),
    ),
    Case(
        "HITS",
        "h = A.T @ (A @ x); h / np.linalg.norm(h)",
        ("t = (A @ x).compute(); h = (A.T @ t).compute(); h / np.linalg.norm(h)",),
        ("h = A.T @ (A @ x); h / np.linalg.norm(h)",),
    ),
    Case(
        "HITS",
        "h = A @ A.T @ v; h / h.max()",
        ("t = (A.T @ v).compute(); h = (A @ t).compute(); h / h.max()",),
        ("h = A @ (A.T @ v); h / h.max()",),
    ),
    Case("two matrices", "A @ B.T @ v", ("t = (B.T @ v).compute(); A @ t",), ("A @ (B.T @ v)",)),
    Case(
        "two matrices",
        "A @ B.T @ C @ x",
        ("t = (C @ x).compute(); t = (B.T @ t).compute(); A @ t",),
        ("A @ (B.T @ (C @ x))",),
    ),
    Case(
        "two matrices",
        "(A @ B.T) @ (C @ x)",
        ("t = (C @ x).compute(); t = (B.T @ t).compute(); A @ t",),
        ("A @ (B.T @ (C @ x))",),
    ),
    Case("two matrices", "(A.T @ B)[0]", ("A[:, 0] @ B",), ("B.T @ A[:, [0]].toarray()[:, 0]",)),
    Case("two matrices", "(A @ B.T)[:, 0]", ("A @ B[0]",), ("A @ B[[0]].toarray()[0]",)),
    Case("two matrices", "(A @ x)[:10]", ("A[:10] @ x",), ("A[:10] @ x",)),
)

FORMS: Final = (
    Case(
        "quadratic form",
        "v @ A @ A.T @ v",
        ("t = (v @ A).compute(); t @ t",),
        ("t = A.T @ v; t @ t",),
    ),
    Case(
        "quadratic form",
        "x @ A.T @ A @ x",
        ("t = (A @ x).compute(); t @ t",),
        ("t = A @ x; t @ t",),
    ),
    Case(
        "quadratic form",
        "x @ (A.T @ (A @ x))",
        ("t = (A @ x).compute(); t @ t",),
        ("t = A @ x; t @ t",),
    ),
    Case("quadratic form", "u @ A @ x", (), ("u @ (A @ x)",)),
    Case("quadratic form", "x @ A @ x", (), ("x @ (A @ x)",), square=True),
    Case(
        "quadratic form",
        "x @ (A @ A) @ x",
        ("t = (A @ x).compute(); r = (x @ A).compute(); r @ t",),
        ("(A.T @ x) @ (A @ x)",),
        square=True,
    ),
    Case(
        "quadratic form",
        "u @ A @ B.T @ v",
        ("t = (u @ A).compute(); r = (v @ B).compute(); t @ r",),
        ("(A.T @ u) @ (B.T @ v)",),
    ),
    Case("quadratic form", "np.linalg.norm(A @ x - u)", (), ("np.linalg.norm(A @ x - u)",)),
    Case(
        "quadratic form",
        "((A @ x - u) ** 2).sum() + l * (x * x).sum()",
        (),
        ("r = A @ x - u; r @ r + l * (x @ x)",),
    ),
    Case("Gram", "A.T @ A", (), ("A.T @ A", "A.T.tocsr() @ A")),
    Case("Gram", "A @ A.T", (), ("A @ A.T", "A @ A.T.tocsr()")),
    Case("Gram", "A @ B.T", (), ("A @ B.T", "A @ B.T.tocsr()")),
    Case(
        "Gram",
        "A.T @ (u[:, None] * A)",
        (),
        ("A.T @ like(A, A.data * np.repeat(u, np.diff(A.indptr)))",),
    ),
    Case(
        "Gram",
        "A.T @ np.diag(u) @ A",
        ("A.T @ (u[:, None] * A)",),
        ("A.T @ like(A, A.data * np.repeat(u, np.diff(A.indptr)))",),
        most=2000,
    ),
    Case(
        "Gram",
        "(A @ A.T).sum()",
        ("t = A.sum(axis=0).compute(); t @ t",),
        ("t = A.sum(axis=0); t @ t",),
    ),
    Case(
        "Gram",
        "(A.T @ A).sum(axis=1)",
        ("t = A.sum(axis=1).compute(); A.T @ t",),
        ("A.T @ A.sum(axis=1)",),
    ),
    Case(
        "Gram",
        "(A @ B.T).mean()",
        ("t = A.sum(axis=0).compute(); r = B.sum(axis=0).compute(); (t @ r) / m**2",),
        ("A.sum(axis=0) @ B.sum(axis=0) / m**2",),
    ),
    Case("Gram", "(A.T @ A)[0]", ("A[:, 0] @ A",), ("A.T @ A[:, [0]].toarray()[:, 0]",)),
    Case(
        "Gram",
        "np.linalg.norm(A.T @ A)",
        ("np.linalg.norm((A.T @ A).compute())",),
        ("t = A.T @ A; np.sqrt(t.data @ t.data)",),
    ),
    Case("trace", "np.trace(A @ B.T)", ("(A * B).sum()",), ("A.multiply(B).sum()",)),
    Case("trace", "np.trace(A.T @ A)", ("(A * A).sum()",), ("A.data @ A.data",)),
    Case(
        "trace",
        "np.trace(A @ A @ A)",
        ("((A @ A) * A.T).sum()",),
        ("(A @ A).multiply(A.T).sum()",),
        square=True,
    ),
    Case("trace", 'np.einsum("ij,ij->", A, B)', ("(A * B).sum()",), ("A.multiply(B).sum()",)),
    Case(
        "trace",
        'np.einsum("ij,ji->", A, B)',
        ("(A * B.T).sum()",),
        ("A.multiply(B.T).sum()",),
        square=True,
    ),
    Case(
        "trace",
        "np.trace(Y.T @ A.T @ A @ Y)",
        ("t = (A @ Y).compute(); (t * t).sum()",),
        ("t = A @ Y; (t * t).sum()",),
    ),
    Case("trace", "np.trace(U.T @ A @ Y)", ("(U * (A @ Y)).sum()",), ("(U * (A @ Y)).sum()",)),
    Case(
        "diagonal",
        "np.diagonal(A @ A.T)",
        ("(A * A).sum(axis=1)",),
        ("like(A, A.data * A.data).sum(axis=1)",),
    ),
    Case(
        "diagonal",
        "np.diagonal(A.T @ A)",
        ("(A * A).sum(axis=0)",),
        ("like(A, A.data * A.data).sum(axis=0)",),
    ),
    Case(
        "diagonal", "np.diagonal(A @ B.T)", ("(A * B).sum(axis=1)",), ("A.multiply(B).sum(axis=1)",)
    ),
    Case(
        "diagonal",
        "np.diagonal(A @ Y @ U.T)",
        ("((A @ Y) * U).sum(axis=1)",),
        ("((A @ Y) * U).sum(axis=1)",),
    ),
)

POWERS: Final = (
    Case("powers", "A @ A @ x", ("t = (A @ x).compute(); A @ t",), ("A @ (A @ x)",), square=True),
    Case(
        "powers",
        "A @ A @ A @ x",
        ("t = (A @ x).compute(); t = (A @ t).compute(); A @ t",),
        ("A @ (A @ (A @ x))",),
        square=True,
    ),
    Case(
        "powers",
        "np.linalg.matrix_power(A, 4) @ x",
        ("t = x; t = (A @ t).compute(); t = (A @ t).compute(); t = (A @ t).compute(); A @ t",),
        ("A @ (A @ (A @ (A @ x)))",),
        square=True,
    ),
    Case(
        "powers",
        "x + A @ x + A @ (A @ x)",
        ("t = (x + A @ x).compute(); x + A @ t",),
        ("x + A @ (x + A @ x)",),
        square=True,
    ),
    Case(
        "powers",
        "(np.eye(n) + A + A @ A) @ x",
        ("t = (x + A @ x).compute(); x + A @ t",),
        ("x + A @ (x + A @ x)",),
        square=True,
        most=2000,
    ),
    Case(
        "powers",
        "x + l * A @ x + l**2 * A @ A @ x / 2",
        ("t = (x + l / 2 * (A @ x)).compute(); x + l * (A @ t)",),
        ("x + l * (A @ (x + l / 2 * (A @ x)))",),
        square=True,
    ),
    Case(
        "powers",
        "(A + A @ A) @ x",
        ("t = (x + A @ x).compute(); A @ t",),
        ("A @ (x + A @ x)",),
        square=True,
    ),
    Case(
        "powers",
        "2 * A @ (A @ x) - x",
        ("t = (A @ x).compute(); 2 * (A @ t) - x",),
        ("2 * (A @ (A @ x)) - x",),
        square=True,
    ),
    Case("powers", "A @ A", (), ("A @ A",), square=True),
)

LOW_RANK: Final = (
    Case(
        "low rank", "(A + U @ Y.T) @ x", ("t = Y.T @ x; A @ x + U @ t",), ("A @ x + U @ (Y.T @ x)",)
    ),
    Case("low rank", "(A - U @ Y.T) @ Z", ("A @ Z - U @ (Y.T @ Z)",), ("A @ Z - U @ (Y.T @ Z)",)),
    Case(
        "low rank",
        "((A - U @ Y.T) ** 2).sum()",
        ("(A * A).sum() - 2 * (U * (A @ Y)).sum() + ((U.T @ U) * (Y.T @ Y)).sum()",),
        ("A.data @ A.data - 2 * (U * (A @ Y)).sum() + ((U.T @ U) * (Y.T @ Y)).sum()",),
    ),
    Case(
        "low rank", "(A + np.outer(u, w)) @ x", ("A @ x + u * (w @ x)",), ("A @ x + u * (w @ x)",)
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
            "t = (A @ Y).compute(); r = ((A * A) @ (Y * Y)).compute(); 0.5 * (t * t - r).sum(axis=1)",
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

CASES: Final = (*CHAINS, *FORMS, *POWERS, *LOW_RANK)
