"""Cases of regret: walks and counts in graphs."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

CASES: Final = (
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
        "(l * (P + np.outer(np.ones(n) / n, d_sa)) + (1 - l) / n) @ x",
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
