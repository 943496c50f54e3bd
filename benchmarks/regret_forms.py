"""Cases of regret: quadratic forms, Gram matrices, traces and diagonals."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

CASES: Final = (
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
        "A.T @ np.diag(u_sa) @ A",
        ("A.T @ (u[:, None] * A)",),
        ("A.T @ like(A, A.data * np.repeat(u, np.diff(A.indptr)))",),
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
