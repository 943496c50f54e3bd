"""Cases of regret: tensors, and einsums of many operands."""

from __future__ import annotations

from typing import Final

from benchmarks.regret_case import Case

_ROWS = "i, j, k = T.coords; "
_FIBERS = "R = T.data[:, None] * TJ[j] * E[k]; collected(i, R, side)"

TENSORS: Final = (
    Case("MTTKRP", 'np.einsum("ijk,jr,kr->ir", T, TJ, E)', (), (f"{_ROWS}{_FIBERS}",)),
    Case(
        "MTTKRP",
        'np.einsum("ijk,ir,kr->jr", T, TI, E)',
        (),
        (f"{_ROWS}R = T.data[:, None] * TI[i] * E[k]; collected(j, R, side)",),
    ),
    Case(
        "MTTKRP",
        'np.einsum("ijk,ir,jr->kr", T, TI, TJ)',
        (),
        (f"{_ROWS}R = T.data[:, None] * TI[i] * TJ[j]; collected(k, R, depth)",),
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
            f"{_ROWS}collected(i * side + j, T.data[:, None] * E[k], side * side)"
            ".reshape(side, side, 16)",
        ),
    ),
    Case(
        "TTM",
        'np.einsum("ijk,js,kr->isr", T, TJ, E)',
        ('t = np.einsum("ijk,kr->ijr", T, E).compute(); np.einsum("ijr,js->isr", t, TJ)',),
        (
            f"{_ROWS}R = T.data[:, None, None] * TJ[j][:, :, None] * E[k][:, None, :]; "
            "collected(i, R.reshape(len(R), -1), side).reshape(side, 16, 16)",
        ),
    ),
    Case(
        "TTM",
        "np.tensordot(T, E, 1).sum(axis=1)",
        ("t = T.sum(axis=1).compute(); t @ E",),
        (f"{_ROWS}collected(i, T.data[:, None] * E[k], side)",),
    ),
    Case(
        "TTV",
        'np.einsum("ijk,k->ij", T, e)',
        (),
        (f"{_ROWS}sp.coo_array((T.data * e[k], (i, j)), (side, side)).tocsr()",),
    ),
    Case(
        "TTV",
        'np.einsum("ijk,j,k->i", T, tj, e)',
        (),
        (f"{_ROWS}np.bincount(i, T.data * tj[j] * e[k], side)",),
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
        (f"{_ROWS}collected(i, T.data[:, None] * TJ[j], side)",),
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

CASES: Final = (*TENSORS, *EINSUMS)
