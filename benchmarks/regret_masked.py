"""Cases of regret: masked and sampled products, factorizations, attention."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_SAMPLED = "like(A, A.data * at_entries(A, U, Y))"

CASES: Final = (
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
        "A * (K_sa @ L)",
        ("A * (sa.asarray(K) @ sa.asarray(L))",),
        ("like(A, A.data * at_entries(A, K, L.T))", "A.multiply(K @ L)"),
    ),
    Case(
        "sampled product",
        "(A * (K_sa @ L)) @ Y",
        ("(A * (sa.asarray(K) @ sa.asarray(L))) @ Y",),
        ("like(A, A.data * at_entries(A, K, L.T)) @ Y", "A.multiply(K @ L) @ Y"),
    ),
    Case(
        "sampled product",
        "A * (U_sa @ Y.T)",
        ("A * (sa.asarray(U) @ sa.asarray(Y).T)",),
        (_SAMPLED, "A.multiply(U @ Y.T)"),
    ),
    Case(
        "sampled product",
        "(A * (U_sa @ Y.T)) @ Z",
        ("(A * (sa.asarray(U) @ sa.asarray(Y).T)).compute() @ Z",),
        (f"{_SAMPLED} @ Z",),
    ),
    Case(
        "sampled product",
        "(A * (U_sa @ Y.T)).sum(axis=1)",
        ("t = (A @ Y).compute(); (U * t).sum(axis=1)",),
        ("(U * (A @ Y)).sum(axis=1)",),
    ),
    Case(
        "sampled product",
        "(A * (U_sa @ Y.T)).sum()",
        ("(U * (A @ Y)).sum()",),
        ("(U * (A @ Y)).sum()",),
    ),
    Case(
        "sampled product",
        "A * B * (U_sa @ Y.T)",
        ("t = (A * B).compute(); t * (sa.asarray(U) @ sa.asarray(Y).T)",),
        ("t = A.multiply(B).tocsr(); like(t, t.data * at_entries(t, U, Y))",),
    ),
    Case(
        "sampled product",
        "(A * (U_sa @ Y.T)).T @ V",
        ("(A * (sa.asarray(U) @ sa.asarray(Y).T)).compute().T @ V",),
        (f"({_SAMPLED}).T @ V",),
    ),
    Case(
        "factorization",
        "(A - U_sa @ Y.T) * (A != 0)",
        ("A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)",),
        ("like(A, A.data - at_entries(A, U, Y))",),
    ),
    Case(
        "factorization",
        "(((A - U_sa @ Y.T) * (A != 0)) ** 2).sum()",
        ("t = (A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)).compute(); (t * t).sum()",),
        ("t = A.data - at_entries(A, U, Y); t @ t",),
    ),
    Case(
        "factorization",
        "((A - U_sa @ Y.T) * (A != 0)) @ Y",
        ("t = (A - (A != 0) * (sa.asarray(U) @ sa.asarray(Y).T)).compute(); t @ Y",),
        ("like(A, A.data - at_entries(A, U, Y)) @ Y",),
    ),
    Case(
        "factorization",
        "(N / (Up_sa @ Yp.T)) @ Yp",
        ("t = (N / (sa.asarray(Up) @ sa.asarray(Yp).T)).compute(); t @ Yp",),
        ("like(N, N.data / at_entries(N, Up, Yp)) @ Yp",),
    ),
    Case(
        "factorization",
        "(N * np.log(Up_sa @ Yp.T)).sum()",
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
        "W = np.where(A != 0, np.exp(U_sa @ Y.T), 0); W / (l + W.sum(axis=1, keepdims=True))",
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
        "W = np.where(A != 0, np.exp(U_sa @ Y.T), 0); (W / (l + W.sum(axis=1, keepdims=True))) @ Z",
        (
            "W = ((A != 0) * np.exp(sa.asarray(U) @ sa.asarray(Y).T)).compute(); "
            "(W @ Z) / (l + W.sum(axis=1)).compute()[:, None]",
        ),
        ("W = like(A, np.exp(at_entries(A, U, Y))); (W @ Z) / (l + W.sum(axis=1))[:, None]",),
    ),
    # A product of NumPy's arrays is formed before anyone sees what it is for.
    Case(
        "formed by NumPy",
        "A * (K @ L)",
        ("t = K @ L; A * t",),
        ("t = K @ L; A.multiply(t)",),
        most=2000,
    ),
    Case(
        "formed by NumPy",
        "(A * (K @ L)) @ Y",
        ("t = K @ L; (A * t).compute() @ Y",),
        ("t = K @ L; A.multiply(t) @ Y",),
        most=2000,
    ),
    Case(
        "formed by NumPy",
        "(A + np.outer(u, w)) @ x",
        ("t = np.outer(u, w); A @ x + t @ x",),
        ("t = np.outer(u, w); A @ x + t @ x",),
        most=2000,
    ),
    Case(
        "formed by NumPy",
        "(A + l * np.eye(n)) @ x",
        ("t = l * np.eye(n); A @ x + t @ x",),
        ("t = l * np.eye(n); A @ x + t @ x",),
        square=True,
        most=2000,
    ),
)
