"""Operations of every day, as users write them: one a line, ours beside SciPy's spellings.

A line is what a user of ours writes; ``::`` parts SciPy's spellings from it, of which the fastest
counts. Where there are none, SciPy is given the same text. `everyday_operands` has the names. An
assignment stands for the matrix after it. A star marks what stands for its family where only a few
operations are run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from benchmarks import everyday_structured

FRESH: Final = ("a", "b", "c", "g", "p", "mask", "thin", "t")
"""The sparse operands, in the order in which functions take them."""

TABLE: Final = """
# building
sa.asarray(S, copy=True) :: S.copy()
* sa.from_coordinates((I, J), V, (n, n), format="csr") :: sp.coo_array((V, (I, J)), (n, n)).tocsr() :: sp.csr_array((V, (I, J)), (n, n))
sa.from_coordinates((I, J), V, (n, n), format="csc") :: sp.coo_array((V, (I, J)), (n, n)).tocsc()
sa.from_coordinates((I, J), V, (n, n)) :: summed(sp.coo_array((V, (I, J)), (n, n), copy=True))
sa.asarray(D, format="csr") :: sp.csr_array(D)
sa.asarray(D, format="coo") :: sp.coo_array(D)
p.todense() :: p.toarray()
* a.asformat("csr") :: a.tocsr()
a.asformat("csc") :: a.tocsc()
a.asformat("coo") :: a.tocoo()
a.T.asformat("csr") :: a.T.tocsr()
a.to_scipy("csc") :: a.tocsc()
a.to_scipy("coo") :: a.tocoo()
a.astype("float32")
a.astype("complex128")
sa.eye(n).asformat("csr") :: sp.eye_array(n, format="csr")
sa.diags([y, y[1:], y[:-1]], [0, 1, -1], (n, n)) :: sp.diags_array([y, y[1:], y[:-1]], offsets=[0, 1, -1], shape=(n, n))
sa.diags([y, y[1:], y[:-1]], [0, 1, -1], (n, n)).asformat("csr") :: sp.diags_array([y, y[1:], y[:-1]], offsets=[0, 1, -1], shape=(n, n), format="csr")

# indexing
a[i]
a[low:high]
* a[rows]
a[order]
a[picked]
a[::2]
a[::-1]
a[[i, j, i]]
sa.take(a, rows, axis=0) :: a[rows]
a[:, j]
a[:, low:high]
* a[:, columns]
a[:, order]
a[:, picked]
a[:, ::2]
a[i, j]
a[ri, ci]
a[np.ix_(rows, columns)] :: a[np.ix_(rows, columns)] :: a[rows][:, columns]
a[low:high, low:high]
a[rows, low:high] :: a[rows, low:high] :: a[rows][:, low:high]
a[mask] :: a[mask] :: a[mask.nonzero()]
a[rows].sum(axis=1) :: a[rows].sum(axis=1) :: a.sum(axis=1)[rows]

# assignment
a[i, j] = 2.5
* a[ri, ci] = some
a[ri, ci] = 0.0
a[i] = x
a[i, :] = 0.0
a[:, j] = y
a[low:high, low:high] = 1.5
a[places, places] = 1.0 :: a.setdiag(1.0) :: a[places, places] = 1.0
a[ri, ci] = a[ri, ci] + some :: a[ri, ci] = a[ri, ci] + some :: a = a + sp.csr_array((some, (ri, ci)), (n, n))
a[mask] = 0.0 :: a[mask] = 0.0 :: a = a - a.multiply(mask)
a[low:high] = b[low:high]

# arithmetic
* a + b
a - b
a * b :: a.multiply(b)
a + c
a * c :: a.multiply(c)
* a * 2.0
-a
a / 2.0
a + 2.0 * b
a * b + a :: a.multiply(b) + a
(a - b) ** 2 :: (a - b).power(2)
a * a - a :: a.multiply(a) - a
a * y[:, None] :: a.multiply(y[:, None]).asformat(kind) :: (sp.diags_array(y) @ a).asformat(kind) :: scaled(a, rows=y)
a / y[:, None] :: a.multiply(1 / y[:, None]).asformat(kind) :: (sp.diags_array(1 / y) @ a).asformat(kind) :: scaled(a, rows=1 / y)
a * x :: a.multiply(x).asformat(kind) :: (a @ sp.diags_array(x)).asformat(kind) :: scaled(a, columns=x)
g / g.sum(axis=1, keepdims=True).clip(1e-9) :: (sp.diags_array(1 / g.sum(axis=1).clip(1e-9)) @ g).asformat(kind) :: scaled(g, rows=1 / g.sum(axis=1).clip(1e-9))
g * root[:, None] * root :: (sp.diags_array(root) @ g @ sp.diags_array(root)).asformat(kind) :: scaled(g, root, root)
sa.maximum(a, b) :: a.maximum(b)
sa.minimum(a, b) :: a.minimum(b)
sa.maximum(a, 0.0) :: a.maximum(0.0)
0.5 * (a + a.T)
p * D :: p.multiply(D).asformat(kind)
p + D :: p + D

# comparisons
* a > 1.0
a < -1.0
a != 0.0
a != b
a > b
abs(a) > 0.5
a * (a > 1.0) :: a.multiply(a > 1.0) :: kept(a, lambda v: v > 1.0)
sa.where(a > 1.0, a, 0.0) :: a.multiply(a > 1.0) :: kept(a, lambda v: v > 1.0)
a * (abs(a) > 0.1) :: a.multiply(abs(a) > 0.1) :: kept(a, lambda v: abs(v) > 0.1)
a * mask :: a.multiply(mask)
(a > 1.0).sum() :: (a > 1.0).sum() :: (a.data > 1.0).sum()
(a > 1.0).sum(axis=0)
(a > 0.0) * (b > 0.0) :: (a > 0.0).multiply(b > 0.0)
sa.isnan(a).any() :: np.isnan(a.data).any()
sa.array_equal(a, b) :: (a != b).nnz == 0
sa.allclose(a, b) :: abs(a - b).max() <= 1e-8

# functions
* abs(a)
sa.sqrt(g) :: g.sqrt()
* sa.log1p(g) :: g.log1p()
sa.expm1(a) :: a.expm1()
sa.tanh(a) :: a.tanh()
sa.sin(a) :: a.sin()
sa.atan(a) :: a.arctan()
sa.asinh(a) :: a.arcsinh()
sa.sign(a) :: a.sign()
sa.floor(a) :: a.floor()
sa.ceil(a) :: a.ceil()
sa.trunc(a) :: a.trunc()
sa.rint(a) :: a.rint()
sa.deg2rad(a) :: a.deg2rad()
a ** 2 :: a.power(2) :: a ** 2
a ** 3 :: a.power(3) :: a ** 3
g ** 0.75 :: g.power(0.75)
sa.clip(a, -1.0, 1.0) :: mapped(a, lambda v: np.clip(v, -1.0, 1.0))
a / (1.0 + abs(a)) :: mapped(a, lambda v: v / (1.0 + abs(v)))
sa.nan_to_num(a) :: mapped(a, np.nan_to_num)

# reductions
a.sum()
* a.sum(axis=0)
a.sum(axis=1)
a.mean()
a.mean(axis=0)
a.mean(axis=1)
a.max()
a.min()
* a.max(axis=0)
a.max(axis=1)
a.min(axis=0)
sa.nanmax(a) :: a.nanmax()
a.argmax(axis=0)
a.argmax(axis=1)
a.argmin(axis=1)
a.nonzero() :: a.nonzero() if kind != "bsr" else a.tocsr().nonzero()
sa.count_nonzero(a) :: a.count_nonzero()
sa.count_nonzero(a, axis=0) :: a.count_nonzero(axis=0)
sa.count_nonzero(a, axis=1) :: a.count_nonzero(axis=1)
a.var(axis=0) :: a.multiply(a).mean(axis=0) - a.mean(axis=0) ** 2
a.std(axis=1) :: np.sqrt(a.multiply(a).mean(axis=1) - a.mean(axis=1) ** 2)
abs(a).sum(axis=1)
(a ** 2).sum(axis=0) :: a.power(2).sum(axis=0) :: a.multiply(a).sum(axis=0)
(a * b).sum() :: a.multiply(b).sum()
(a * b).sum(axis=1) :: a.multiply(b).sum(axis=1)
(a != 0.0).any(axis=1) :: a.count_nonzero(axis=1) > 0

# vectors
* a @ x
* a.T @ y
y @ a
a @ x + y
a @ (b @ x)
a.T @ (a @ x)
y @ a @ x
y @ (a @ x)
0.85 * (g.T @ y) + 0.15 / n
sa.linalg.norm(y - a @ x) :: np.linalg.norm(y - a @ x)
a @ t
a[rows] @ x :: a[rows] @ x :: (a @ x)[rows]
a[:, columns] @ x[columns]
(a - mu) @ x :: a @ x - mu @ x

# dense products
* a @ Y
* a.T @ Z
W @ a
a @ F
a @ (a.T @ Z)
(a @ Y).sum(axis=0)
Z.T @ (a @ Y)
(a - mu) @ Y :: a @ Y - mu @ Y
(a - mu).T @ Z :: a.T @ Z - np.outer(mu, Z.sum(axis=0))
a @ Y + Z
p * sa.matmul(K, L) :: sampled(p, K, L, kind)

# sparse products
* a @ b
a @ c
a @ b.T
a @ thin
a[low:high] @ b
a[low:high] @ a[low:high].T
sa.diag(y) @ a :: (sp.diags_array(y) @ a).asformat(kind) :: scaled(a, rows=y)
a @ sa.diag(x) :: (a @ sp.diags_array(x)).asformat(kind) :: scaled(a, columns=x)
(a @ b).sum(axis=1) :: (a @ b).sum(axis=1) :: a @ b.sum(axis=1)
(a @ b) * mask :: (a @ b).multiply(mask)
((g @ g) * g).sum() :: (g @ g).multiply(g).sum()
(a @ b).diagonal() :: a.multiply(b.T).sum(axis=1)

# shape
* sa.vstack([a, b]) :: sp.vstack([a, b], format=kind)
sa.hstack([a, b]) :: sp.hstack([a, b], format=kind)
sa.vstack([p, p, p]) :: sp.vstack([p, p, p], format=kind)
sa.block([[a, b], [b, a]]) :: sp.block_array([[a, b], [b, a]], format=kind)
sa.block_diag([a, b]) :: sp.block_diag([a, b], format=kind)
a.T
a.reshape(n // 2, 2 * n)
* sa.tril(a) :: sp.tril(a, format=kind)
sa.triu(a) :: sp.triu(a, format=kind)
sa.triu(a, 1) :: sp.triu(a, 1, format=kind)
sa.roll(a, 1, axis=0) :: sp.vstack([a[-1:], a[:-1]], format=kind)
sa.kron(two, a) :: sp.kron(two, a, format=kind)
sa.concatenate([a[high:], a[:high]]) :: sp.vstack([a[high:], a[:high]], format=kind)

# linear algebra
* sa.linalg.norm(a) :: norm(a)
sa.linalg.norm(a, 1) :: norm(a, 1)
sa.linalg.norm(a, np.inf) :: norm(a, np.inf)
sa.linalg.norm(a, axis=0) :: norm(a, axis=0)
sa.linalg.norm(a, axis=1) :: norm(a, axis=1)
* a.diagonal() :: a.diagonal()
sa.diagonal(a, 1) :: a.diagonal(k=1)
sa.trace(a) :: a.trace()
sa.csgraph.laplacian(g) :: graphs.laplacian(g)
sa.csgraph.connected_components(g) :: graphs.connected_components(g)
sa.csgraph.minimum_spanning_tree(g) :: graphs.minimum_spanning_tree(g)
sa.csgraph.breadth_first_order(g, 0) :: graphs.breadth_first_order(g, 0)
sa.csgraph.dijkstra(g, indices=0) :: graphs.dijkstra(g, indices=0)
"""  # noqa: E501


@dataclass(frozen=True)
class Spelling:
    """A way to write an operation: a text, and the function that it is the body of."""

    text: str

    @cached_property
    def assigns(self) -> bool:
        """Whether the text changes its matrix, so that it is run on a new one only."""
        return " = " in self.text or ".setdiag(" in self.text

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The sparse operands that the text reads."""
        names = set(compile(self.text, "<operation>", "exec").co_names)
        return tuple(name for name in FRESH if name in names)

    def function(self, names: Mapping[str, Any], around: str = "{}") -> Callable[..., Any]:
        """Return the function of the operands; what else the text names is in `names`.

        The text stands in another one, `around`, unless it assigns.
        """
        whole = around.format(self.text)
        body = f"{self.text}\n    return a" if self.assigns else f"return {whole}"
        scope = dict(names)
        exec(f"def operation({', '.join(self.operands)}):\n    {body}", scope)
        return scope["operation"]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Operation:
    """An operation of a family: our spelling and those of SciPy."""

    family: str
    ours: Spelling
    theirs: tuple[Spelling, ...]
    first: bool  # one of those that stand for their family


def operations(few: bool = False) -> list[Operation]:
    """Return the operations of the table in its order, or those with a star alone."""
    return read(TABLE, few)


def structured(few: bool = False) -> list[Operation]:
    """Return the operations that are raced with NumPy alone, in our other formats."""
    return read(everyday_structured.TABLE, few)


def read(table: str, few: bool) -> list[Operation]:
    """Return the operations of a table."""
    found, family = [], ""
    for line in filter(None, table.splitlines()):
        if line.startswith("# "):
            family = line[2:]
            continue
        ours, *theirs = [Spelling(text.strip()) for text in line.removeprefix("* ").split(" :: ")]
        found.append(Operation(family, ours, tuple(theirs) or (ours,), line.startswith("* ")))
    return [one for one in found if one.first or not few]
