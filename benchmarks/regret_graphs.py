"""Cases of regret: walks and counts in graphs, tensors, long einsums, mixtures of formats."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_ROWS = "i, j, k = T.coords; "

WALKS: Final = (
    Case("PageRank", "l * (P @ x) + (1 - l) / n", (), ("l * (P @ x) + (1 - l) / n",), square=True),
    Case(
        "PageRank",
        "l * (P @ x + (d @ x) / n) + (1 - l) / n",
        (),
        ("l * (P @ x + (d @ x) / n) + (1 - l) / n",),
        square=True,
    ),
    Case(
        "PageRank",
        "(l * P + (1 - l) / n) @ x",
        ("l * (P @ x) + (1 - l) / n * x.sum()",),
        ("l * (P @ x) + (1 - l) / n * x.sum()",),
        square=True,
    ),
    Case(
        "PageRank",
        "(l * (P + np.outer(np.ones(n) / n, d)) + (1 - l) / n) @ x",
        ("l * (P @ x + (d @ x) / n) + (1 - l) / n * x.sum()",),
        ("l * (P @ x + (d @ x) / n) + (1 - l) / n * x.sum()",),
        square=True,
    ),
    Case(
        "PageRank",
        "x @ P @ P @ P",
        ("t = (x @ P).compute(); t = (t @ P).compute(); t @ P",),
        ("P.T @ (P.T @ (P.T @ x))",),
        square=True,
    ),
    Case(
        "PageRank",
        "np.abs(l * P @ x + (1 - l) * w - x).sum()",
        ("t = (l * (P @ x) + (1 - l) * w - x).compute(); np.abs(t).sum()",),
        ("np.abs(l * (P @ x) + (1 - l) * w - x).sum()",),
        square=True,
    ),
    Case(
        "Laplacian",
        "(np.diag(G.sum(axis=1)) - G) @ x",
        ("k = G.sum(axis=1); k * x - G @ x",),
        ("G.sum(axis=1) * x - G @ x",),
        square=True,
        most=2000,
    ),
    Case(
        "Laplacian",
        "k = G.sum(axis=1); x @ (k * x - G @ x)",
        ("k = G.sum(axis=1).compute(); t = (G @ x).compute(); x @ (k * x - t)",),
        ("x @ (G.sum(axis=1) * x - G @ x)",),
        square=True,
    ),
    Case(
        "Laplacian",
        "k = 1 / np.sqrt(1 + G.sum(axis=1)); (k[:, None] * G * k) @ Y",
        ("k = (1 / np.sqrt(1 + G.sum(axis=1))).compute(); k[:, None] * (G @ (k[:, None] * Y))",),
        ("k = 1 / np.sqrt(1 + G.sum(axis=1)); k[:, None] * (G @ (k[:, None] * Y))",),
        square=True,
    ),
    Case(
        "Laplacian",
        "k = G.sum(axis=1); (G - np.outer(k, k) / k.sum()) @ x",
        ("k = G.sum(axis=1).compute(); G @ x - k * ((k @ x) / k.sum())",),
        ("k = G.sum(axis=1); G @ x - k * ((k @ x) / k.sum())",),
        square=True,
    ),
    Case(
        "triangles",
        "(G @ G * G).sum() / 6",
        ("((G @ G) * G).sum() / 6",),
        ("(G @ G).multiply(G).sum() / 6",),
        square=True,
    ),
    Case(
        "triangles",
        "np.trace(G @ G @ G) / 6",
        ("((G @ G) * G).sum() / 6",),
        ("(G @ G).multiply(G).sum() / 6",),
        square=True,
    ),
    Case(
        "triangles",
        'np.einsum("ij,jk,ik->", G, G, G) / 6',
        ("((G @ G) * G).sum() / 6",),
        ("(G @ G).multiply(G).sum() / 6",),
        square=True,
    ),
    Case(
        "triangles",
        "(G @ G * G).sum(axis=1) / 2",
        (),
        ("(G @ G).multiply(G).sum(axis=1) / 2",),
        square=True,
    ),
    Case(
        "triangles",
        "S = G * (G @ G); k = G.sum(axis=1); S / (1 + k[:, None] + k - S)",
        ("S = (G * (G @ G)).compute(); k = G.sum(axis=1).compute(); S / (1 + k[:, None] + k - S)",),
        (
            "S = (G @ G).multiply(G).tocsr(); k = G.sum(axis=1); i, j = places(S); "
            "like(S, S.data / (1 + k[i] + k[j] - S.data))",
        ),
        square=True,
    ),
    Case(
        "subgraphs",
        "np.trace(G @ G @ G @ G)",
        ("S = (G @ G).compute(); (S * S).sum()",),
        ("S = G @ G; S.data @ S.data",),
        square=True,
    ),
    Case(
        "subgraphs",
        "(G @ G).sum()",
        ("k = G.sum(axis=1).compute(); k @ k",),
        ("k = G.sum(axis=1); k @ k",),
        square=True,
    ),
    Case(
        "subgraphs",
        "(G @ G > 0).sum()",
        ("S = (G @ G).compute(); (S > 0).sum()",),
        ("(G @ G).nnz",),
        square=True,
    ),
    Case(
        "subgraphs",
        'np.einsum("ij,ik,il,jk,jl,kl->", G, G, G, G, G, G) / 24',
        (),
        (
            "U_ = sp.triu(G, 1, 'csr'); i, j = places(U_); R = U_[i].multiply(U_[j]).tocsr(); "
            "(R @ U_).multiply(R).sum()",
        ),
        square=True,
    ),
)

_FIBERS = "R = T.data[:, None] * TJ[j] * E[k]; collected(i, R, 256)"

TENSORS: Final = (
    Case("MTTKRP", 'np.einsum("ijk,jr,kr->ir", T, TJ, E)', (), (f"{_ROWS}{_FIBERS}",)),
    Case(
        "MTTKRP",
        'np.einsum("ijk,ir,kr->jr", T, TI, E)',
        (),
        (f"{_ROWS}R = T.data[:, None] * TI[i] * E[k]; collected(j, R, 256)",),
    ),
    Case(
        "MTTKRP",
        'np.einsum("ijk,ir,jr->kr", T, TI, TJ)',
        (),
        (f"{_ROWS}R = T.data[:, None] * TI[i] * TJ[j]; collected(k, R, 40)",),
    ),
    Case(
        "MTTKRP",
        'np.einsum("ijk,ir,jr,kr->", T, TI, TJ, E)',
        ('(TI * np.einsum("ijk,jr,kr->ir", T, TJ, E)).sum()',),
        (f'{_ROWS}T.data @ np.einsum("qr,qr,qr->q", TI[i], TJ[j], E[k])',),
    ),
    Case(
        "TTM",
        'np.einsum("ijk,kr->ijr", T, E)',
        (),
        (
            f"{_ROWS}collected(i * 256 + j, T.data[:, None] * E[k], 256 * 256)"
            ".reshape(256, 256, 16)",
        ),
    ),
    Case(
        "TTM",
        'np.einsum("ijk,js,kr->isr", T, TJ, E)',
        ('t = np.einsum("ijk,kr->ijr", T, E).compute(); np.einsum("ijr,js->isr", t, TJ)',),
        (
            f"{_ROWS}R = T.data[:, None, None] * TJ[j][:, :, None] * E[k][:, None, :]; "
            "collected(i, R.reshape(-1, 256), 256).reshape(256, 16, 16)",
        ),
    ),
    Case(
        "TTM",
        "np.tensordot(T, E, 1).sum(axis=1)",
        ("t = T.sum(axis=1).compute(); t @ E",),
        (f"{_ROWS}collected(i, T.data[:, None] * E[k], 256)",),
    ),
    Case(
        "TTV",
        'np.einsum("ijk,k->ij", T, e)',
        (),
        (f"{_ROWS}sp.coo_array((T.data * e[k], (i, j)), (256, 256)).tocsr()",),
    ),
    Case(
        "TTV",
        'np.einsum("ijk,j,k->i", T, tj, e)',
        (),
        (f"{_ROWS}np.bincount(i, T.data * tj[j] * e[k], 256)",),
    ),
    Case(
        "TTV",
        'np.einsum("ijk,i,j,k->", T, ti, tj, e)',
        (),
        (f"{_ROWS}T.data @ (ti[i] * tj[j] * e[k])",),
    ),
    Case(
        "TTV",
        "T.sum(axis=2) @ TJ",
        ("t = T.sum(axis=2).compute(); t @ TJ",),
        (f"{_ROWS}collected(i, T.data[:, None] * TJ[j], 256)",),
    ),
    Case("TTV", 'np.einsum("ijk,ijk->", T, T)', (), ("T.data @ T.data",)),
)

EINSUMS: Final = (
    Case("einsum", 'np.einsum("i,ij,j->", u, A, x)', (), ("u @ (A @ x)",)),
    Case(
        "einsum",
        'np.einsum("ij,kj,k->i", A, B, v)',
        ("t = (B.T @ v).compute(); A @ t",),
        ("A @ (B.T @ v)",),
    ),
    Case(
        "einsum",
        'np.einsum("ij,kj,kl,l->i", A, B, C, x)',
        ("t = (C @ x).compute(); t = (B.T @ t).compute(); A @ t",),
        ("A @ (B.T @ (C @ x))",),
    ),
    Case(
        "einsum",
        'np.einsum("ij,jr,rs->is", A, Y, D)',
        ("t = Y @ D; A @ t", "t = (A @ Y).compute(); t @ D"),
        ("A @ (Y @ D)", "(A @ Y) @ D"),
    ),
    Case("einsum", 'np.einsum("ij,ij,j->i", A, B, x)', ("(A * B) @ x",), ("A.multiply(B) @ x",)),
    Case(
        "einsum",
        'np.einsum("ij,ir,jr->r", A, U, Y)',
        ("t = (A @ Y).compute(); (U * t).sum(axis=0)",),
        ("(U * (A @ Y)).sum(axis=0)",),
    ),
    Case(
        "einsum",
        'np.einsum("ij,kj,kl,ml,m->i", A, B, C, A, v)',
        ("t = (A.T @ v).compute(); t = (C @ t).compute(); t = (B.T @ t).compute(); A @ t",),
        ("A @ (B.T @ (C @ (A.T @ v)))",),
    ),
    Case(
        "einsum",
        'np.einsum("ij,kj,kl,ml,mo,po,p->i", A, B, C, A, B, C, v)',
        (
            "t = (C.T @ v).compute(); t = (B @ t).compute(); t = (A.T @ t).compute(); "
            "t = (C @ t).compute(); t = (B.T @ t).compute(); A @ t",
        ),
        ("A @ (B.T @ (C @ (A.T @ (B @ (C.T @ v)))))",),
        quick=False,
    ),
)

FORMATS: Final = (
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

CASES: Final = (*WALKS, *TENSORS, *EINSUMS, *FORMATS)
