"""Cases of regret: products in chains, normal equations, powers of a matrix on a vector."""

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
        "(A.T @ A + l * I) @ x",
        ("t = (A @ x).compute(); A.T @ t + l * x",),
        ("A.T @ (A @ x) + l * x",),
    ),
    Case(
        "ridge",
        "(A @ A.T + l * I_m) @ v",
        ("t = (A.T @ v).compute(); A @ t + l * v",),
        ("A @ (A.T @ v) + l * v",),
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
        "(I + A + A @ A) @ x",
        ("t = (x + A @ x).compute(); x + A @ t",),
        ("x + A @ (x + A @ x)",),
        square=True,
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

CASES: Final = (*CHAINS, *POWERS)
