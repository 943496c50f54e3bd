"""Cases of regret: mixtures of formats, sparse vectors, slices."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

CASES: Final = (
    Case("formats", "A_csc @ x", (), ("A_csc @ x",)),
    Case(
        "formats",
        "A_csc @ (A_csc.T @ v)",
        ("t = (A_csc.T @ v).compute(); A_csc @ t",),
        ("A_csc @ (A_csc.T @ v)",),
    ),
    Case(
        "formats",
        "A @ B_csc.T @ v",
        ("t = (B_csc.T @ v).compute(); A @ t",),
        ("A @ (B_csc.T @ v)",),
    ),
    Case("formats", "A * B_csc", (), ("A * B_csc", "A * B_csc.tocsr()")),
    Case("formats", "(A * B_csc).sum()", (), ("(A * B_csc).sum()",)),
    Case("formats", "(A + B_csc) @ x", ("A @ x + B_csc @ x",), ("A @ x + B_csc @ x",)),
    Case("formats", "A_csc @ B.T", (), ("A_csc @ B.T",)),
    Case("formats", "A_coo @ x", (), ("A_coo @ x",)),
    Case("formats", "(A_coo * B).sum(axis=1)", (), ("A_coo.tocsr().multiply(B).sum(axis=1)",)),
    Case(
        "formats", "A_dcsr @ B.T @ v", ("t = (B.T @ v).compute(); A_dcsr @ t",), ("A @ (B.T @ v)",)
    ),
    Case("formats", "A_vbl @ x", (), ("A @ x",)),
    Case("formats", "(A_vbl * B).sum(axis=1)", (), ("A.multiply(B).sum(axis=1)",)),
    Case(
        "formats",
        "A_vbl @ (A_vbl.T @ v)",
        ("t = (A_vbl.T @ v).compute(); A_vbl @ t",),
        ("A @ (A.T @ v)",),
    ),
    Case("formats", "A_hash * B", (), ("A.multiply(B)",)),
    Case("formats", "(A_hash * B_csc).sum(axis=0)", (), ("A.multiply(B_csc).sum(axis=0)",)),
    Case("sparse vector", "A @ q", (), ("A @ q", "j = np.flatnonzero(q); A[:, j] @ q[j]")),
    Case(
        "sparse vector", "A_csc @ q", (), ("A_csc @ q", "j = np.flatnonzero(q); A_csc[:, j] @ q[j]")
    ),
    Case("sparse vector", "A.T @ (A @ q)", ("t = (A @ q).compute(); A.T @ t",), ("A.T @ (A @ q)",)),
    Case("sparse vector", "(A * q).sum(axis=0)", ("q * A.sum(axis=0)",), ("q * A.sum(axis=0)",)),
    Case(
        "sparse vector",
        "A * q @ Y",
        ("t = (A * q).compute(); t @ Y",),
        ("A @ (q[:, None] * Y)", "j = np.flatnonzero(q); A[:, j] @ (q[j, None] * Y[j])"),
    ),
    Case("triangle of a matrix", "np.tril(A, -1) @ x", (), ("sp.tril(A, -1, 'csr') @ x",)),
    Case(
        "triangle of a matrix",
        "np.triu(A) @ np.triu(A).T @ v",
        ("t = np.triu(A).compute(); r = (t.T @ v).compute(); t @ r",),
        ("t = sp.triu(A, 0, 'csr'); t @ (t.T @ v)",),
    ),
    Case("slices", "A[::2] @ x", ("(A @ x)[::2]",), ("A[::2] @ x", "(A @ x)[::2]")),
    Case(
        "slices",
        "(A @ A.T @ v)[:10]",
        ("t = (A.T @ v).compute(); A[:10] @ t",),
        ("A[:10] @ (A.T @ v)",),
    ),
)
