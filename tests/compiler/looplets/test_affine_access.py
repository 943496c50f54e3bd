"""Accesses by `k * i + r` against NumPy: each level, protocol and factor, alone and with others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from handmade import FILL, FLOAT, INDEX, ZERO, I, Made, N, call, computed, output, scalar, steps

import structarr as sa
from structarr._compiler.ir.cin import Access, Assign, Loop, Permit, Protocol, Sieve, Stmt, Tensor
from structarr._compiler.ir.conditions import eq, le
from structarr._compiler.ir.expr import Expr, Lit, scale
from structarr._compiler.ir.missing import Coalesce
from structarr._compiler.ir.ops import OPS
from structarr._compiler.ir.variables import Var
from structarr._compiler.looplets.motion import Motion
from structarr._compiler.looplets.scale import Scale
from structarr._execute import compute
from structarr._lazy import graph
from structarr._storage.dense import from_dense
from structarr._storage.tensor import Tensor as Stored
from structarr.formats import (
    Dense,
    Diagonals,
    Element,
    Format,
    RunList,
    SparseList,
    Tiles,
    Triangular,
    parse,
)

LENGTH = 9
R = Var(INDEX, "r")
FACTORS = (1, 2, 3, -1, -2, -3)
MOST = [pytest.param(k, marks=[] if k in (2, -1, -3) else pytest.mark.long) for k in FACTORS]
SOME = [pytest.param(k, marks=[] if k in (2, -1) else pytest.mark.long) for k in FACTORS]
PROTOCOLS = ("walk", "gallop", "locate")
BLOCKS = np.array([0.0, 1, 2, 0, 0, 3, 4, 5, 0])
DATA = {
    "dense": np.arange(1.0, 10),
    "list": np.array([1.0, 0, 2, 3, 0, 0, 4, 0, 5]),
    "band": np.array([0.0, 0, 1, 2, 3, 4, 0, 0, 0]),
    "vbl": BLOCKS,
    "point": np.array([0.0, 0, 0, 0, 7, 0, 0, 0, 0]),
    "interval": np.array([0.0, 0, 3, 3, 3, 3, 0, 0, 0]),
    "rle": np.array([1.0, 1, 2, 2, 2, 0, 0, 4, 4]),
    "sparse-rle": np.array([0.0, 3, 3, 0, 4, 4, 4, 0, 5]),
    "packbits": np.array([1.0, 1, 1, 1, 2, 3, 4, 0, 0]),
    "bitmap": BLOCKS,
    "hash": np.array([1.0, 0, 2, 3, 0, 0, 4, 0, 5]),
    "coo": np.array([1.0, 0, 2, 3, 0, 0, 4, 0, 5]),
    "ragged": np.array([1.0, 2, 3, 4, 5, 0, 0, 0, 0]),
    "constant": np.full(9, 3.0),
}
RNG = np.random.default_rng(5)
SPARSE = np.where(RNG.random((LENGTH, LENGTH)) < 0.4, RNG.integers(1, 9, (LENGTH, LENGTH)), 0.0)
ROWS = {
    "csr": SPARSE,
    "coo": SPARSE,
    "dcsr": SPARSE,
    Dense(Tiles(height=3, width=3)): np.kron(np.eye(3)[[1, 0, 2]], np.ones((3, 3))) * 2 + SPARSE,
    "triu": np.triu(SPARSE),
    "tril": np.tril(SPARSE),
    Dense(Triangular(side="upper", k=1)): np.triu(SPARSE, 1),
    "symmetric": SPARSE + SPARSE.T,
    "hermitian": SPARSE + SPARSE.T,
    Dense(Diagonals(offsets=(-1, 0, 2))): sum(np.diag(np.diag(SPARSE, k), k) for k in (-1, 0, 2)),
    "dia": SPARSE,
    RunList(SparseList()): np.repeat(SPARSE[:3], 3, axis=0),
}


def stored(data: np.ndarray, fmt: Any) -> Stored:
    with sa.options(tier="interpreted"):
        wanted = parse(fmt, data.ndim) if not isinstance(fmt, Format) else fmt
        return compute.in_format(graph.leaf(from_dense(data)), wanted)


def given(name: str, tensor: Stored) -> dict[str, Any]:
    """The buffers and lengths of an operand by their names in a kernel."""
    found: dict[str, Any] = {}
    rest = iter(tensor.buffers)
    for depth, level in enumerate(tensor.format.levels):
        for buffer in level.buffers:
            found[f"{name}_val" if buffer == "val" else f"{name}{depth}_{buffer}"] = next(rest)
    for depth, axis in enumerate(tensor.format.order):
        found[f"{name}{depth}_n"] = tensor.shape[axis]
    return found


class Operand:
    """A stored array in a kernel; `dim` is how a vector's length is written there."""

    def __init__(self, name: str, data: np.ndarray, fmt: Any, dim: Expr | None = None) -> None:
        tensor = stored(data, fmt)
        dims = tuple(Var(INDEX, f"{name}{depth}_n") for depth in range(data.ndim))
        dims = dims if dim is None else (dim,)
        self.data, self.node = data, Tensor(name, tensor.format, FLOAT, FILL, dims)
        self.made = Made(None, data, given(name, tensor))  # type: ignore[arg-type]

    def at(self, *indices: Expr) -> Access:
        return Access(FLOAT, self.node, indices)


def program(value: Expr, fmt: str | None) -> tuple[Stmt, Tensor]:
    """`C[i] = value`, or `C[] += value` for all i."""
    out = scalar() if fmt is None else output(fmt)
    target = Access(FLOAT, out, () if fmt is None else (I,))
    op = OPS["add"] if fmt is None else None
    return Loop(I, ZERO, N, Assign(target, op, value)), out


def check(value: Expr, fmt: str | None, operands: list[Operand], r: int, want: Any) -> None:
    stmt, out = program(value, fmt)
    rest = Made(None, want, {"r": r})  # type: ignore[arg-type]
    got = computed(stmt, out, (*(one.made for one in operands), rest), len(want))
    np.testing.assert_array_equal(got, want.sum() if fmt is None else want)


def ranges(k: int, n: int = LENGTH) -> list[tuple[int, int]]:
    """Offsets, and how many indices they leave."""
    if k > 0:
        return [(r, m) for r in (0, 1, 2, 4) for m in {0, 1, 2, (n - r + k - 1) // k}]
    return [(r, m) for r in (n - 1, n - 2, 3) for m in {0, 1, 2, r // -k + 1}]


def by(k: int, protocol: str, r: Expr = R) -> Expr:
    return Protocol(scale(I, k) + r, protocol)


BESIDE = {
    "dense": np.arange(1.0, 10),
    "list": np.array([0.0, 2, 3, 0, 0, 1, 0, 4, 0]),
    "rle": np.array([3.0, 3, 1, 1, 1, 0, 0, 2, 2]),
    "vbl": np.array([2.0, 1, 0, 0, 1, 3, 4, 0, 2]),
    "band": np.array([0.0, 1, 2, 3, 4, 0, 0, 0, 0]),
}

OTHERS = [pytest.param(k, marks=[] if k in ("list", "rle") else pytest.mark.long) for k in BESIDE]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("k", MOST)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", DATA)
def test_each_level(kind: str, protocol: str, k: int) -> None:
    a = Operand("A", DATA[kind], kind)
    for r, m in ranges(k):
        want = a.data[k * np.arange(m) + r]
        for fmt in ("dense", "list", "rle", None):
            check(a.at(by(k, protocol)), fmt, [a], r, want)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("k", SOME)
@pytest.mark.parametrize("beside", OTHERS)
@pytest.mark.parametrize("kind", DATA)
def test_beside_others(kind: str, beside: str, k: int) -> None:
    a = Operand("A", DATA[kind], kind)
    for protocol in ("walk", "gallop"):
        for r, m in ranges(k):
            b = Operand("B", BESIDE[beside][:m], beside)
            left = a.data[k * np.arange(m) + r]
            for op, fmt in (("multiply", None), ("multiply", "list"), ("add", "dense")):
                value = call(op, a.at(by(k, protocol)), b.at(I))
                check(value, fmt, [a, b], r, getattr(np, op)(left, b.data))


@pytest.mark.parametrize("k", MOST)
@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ROWS, ids=str)
def test_levels_of_matrices(kind: Any, protocol: str, k: int) -> None:
    """The columns of one row, and the rows of one column; a full row and an empty one."""
    a, p = Operand("A", ROWS[kind], kind), Var(INDEX, "p")
    for r, m in ranges(k)[2:9]:
        at = k * np.arange(m) + r
        for row in (0, 3, LENGTH - 1):
            a.made.given["p"] = row
            by_k = Protocol(scale(I, k) + R, protocol)
            check(a.at(p, by_k), "dense", [a], r, a.data[row, at])
            if isinstance(kind, str) and kind in ("csr", "coo", "dcsr"):
                check(a.at(by_k, p), "list", [a], r, a.data[at, row])


@pytest.mark.parametrize("k", FACTORS)
@pytest.mark.parametrize("kind", DATA)
def test_permitted(kind: str, k: int) -> None:
    """Indices outside are missing: fill beside a band of what is there."""
    a, zero = Operand("A", DATA[kind], kind), Lit(FLOAT, 0.0, True)
    for r in (-4, -1, 0, 3, LENGTH - 1, LENGTH + 2):
        at = k * np.arange(7) + r
        inside = (at >= 0) & (at < LENGTH)
        want = np.where(inside, a.data[np.clip(at, 0, LENGTH - 1)], 0)
        value = Coalesce(FLOAT, (a.at(Permit(scale(I, k) + R)), zero))
        for fmt in ("dense", "list", None):
            check(value, fmt, [a], r, want)


def test_no_elements() -> None:
    for kind, data in DATA.items():
        a = Operand("A", data[:0], kind)
        for k in FACTORS:
            for fmt in ("dense", "rle", None):
                check(a.at(by(k, "walk")), fmt, [a], 0 if k > 0 else -1, np.zeros(0))
        one = Operand("A", data[:1], kind)
        check(one.at(by(-1, "gallop")), "list", [one], 0, data[:1])


@pytest.mark.parametrize("k", SOME)
@pytest.mark.parametrize("kind", DATA)
def test_whole_extents(kind: str, k: int) -> None:
    """Where bounds are known to be met, nothing is cut."""
    for m in range(LENGTH // abs(k) + 1):
        n, dim = m * abs(k), scale(N, abs(k))
        a, b = Operand("A", DATA[kind][:n], kind, dim), Operand("B", DATA["rle"][:m], "rle", N)
        for c in range(abs(k)):
            start = Lit(INDEX, c) if k > 0 else dim - 1 - c
            at = k * np.arange(m) + (c if k > 0 else n - 1 - c)
            index = Protocol(scale(I, k) + start, "gallop" if c else "walk")
            for fmt in ("dense", "list", "rle", None):
                check(a.at(index), fmt, [a], 0, a.data[at])
            added = call("add", a.at(index), b.at(I))
            check(added, "rle", [a, b], 0, a.data[at] + b.data)


PAIRS = [
    (lambda i, n: scale(i, 2), lambda i, n: scale(i, 2) + 1),
    (lambda i, n: scale(i, 2), lambda i, n: n - 1 - i),
    (lambda i, n: n - 1 - i, lambda i, n: n - 2 - scale(i, 2)),
    (lambda i, n: scale(i, 3) + 1, lambda i, n: n - 1 - scale(i, 2)),
    (lambda i, n: i, lambda i, n: n - 1 - i),
]


# Beside a list in the gate; beside what else there is, at length.
TWO = [pytest.param(k, marks=[] if k == "list" else pytest.mark.long) for k in BESIDE]
# Formats whose looplets are those of others: at length.
LIKE_OTHERS = ("sparse-rle", "vbl", "packbits", "bitmap")
KINDS = [pytest.param(k, marks=pytest.mark.long if k in LIKE_OTHERS else []) for k in DATA]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("other", TWO)
@pytest.mark.parametrize("kind", KINDS)
def test_two_in_one_loop(kind: str, other: str) -> None:
    """Of one array, and of two."""
    a, b = Operand("A", DATA[kind], kind), Operand("B", BESIDE[other], other)
    n = Var(INDEX, "A0_n")
    for left, right in PAIRS:
        for m in (0, 1, 3):
            at = (np.array([eval_at(f, j) for j in range(m)], int) for f in (left, right))
            first, second = at
            for two in (a, b):
                value = (a.at(left(I, n)), two.at(Protocol(right(I, n), "gallop")))
                found = a.data[first], two.data[second]
                check(call("multiply", *value), None, [a, b], 0, found[0] * found[1])
                check(call("add", *value), "rle", [a, b], 0, found[0] + found[1])
                check(call("maximum", *value), "list", [a, b], 0, np.maximum(*found))


def eval_at(index: Any, i: int) -> int:
    """The place that an index reads."""
    return index(Lit(INDEX, i), Lit(INDEX, LENGTH)).value


@pytest.mark.parametrize("k", FACTORS)
def test_masks(k: int) -> None:
    """`k * i + r >= 0` and `k * i + r == 0` choose what is added."""
    a = Operand("A", DATA["list"], "list")
    for r in range(-10, 11):
        gap = k * np.arange(LENGTH) + r
        for cond, holds in ((le(0, scale(I, k) + R), gap >= 0), (eq(scale(I, k) + R, 0), gap == 0)):
            out = scalar()
            added = Assign(Access(FLOAT, out, ()), OPS["add"], a.at(I))
            stmt, rest = Loop(I, ZERO, N, Sieve(cond, added)), Made(None, a.data, {"r": r})
            got = computed(stmt, out, (a.made, rest), LENGTH)
            assert got == a.data[holds].sum()


class OnwardReading(type(SparseList.reading)):  # type: ignore[misc]
    """A stepper that does not know how to step back."""

    def walk(self, fiber: Any, ctx: Any) -> Any:
        return super().walk(fiber, ctx).replace(motion=Motion())


class Onward(SparseList):
    """A list that is read so."""

    reading = OnwardReading()


@pytest.mark.parametrize("k", FACTORS)
def test_a_level_that_cannot_step_back_is_located(k: int) -> None:
    a = Operand("A", DATA["list"], "list")
    a.node = Tensor("A", Format(Onward(Element()), (0,)), FLOAT, FILL, a.node.dims)
    for r, m in ranges(k):
        want = a.data[k * np.arange(m) + r]
        for fmt in ("list", None):
            check(a.at(scale(I, k) + R), fmt, [a], r, want)


def test_a_stepper_that_cannot_step_back_says_so() -> None:
    list_ = steps("a", [1, 4], LENGTH)
    stmt, out = program(Access(FLOAT, Scale(-1, N - 1, list_.looplet), (I,)), None)
    with pytest.raises(TypeError, match="Stepper a_q cannot be read from its end: give it"):
        computed(stmt, out, (list_,), LENGTH)


def test_the_index_that_reads_a_child_is_computed_once() -> None:
    a = sa.asarray(np.arange(20) % 3, format="list")
    kernel = sa.explain("y[i] = a[2 * i + 1]", a=a, extents={"i": 9}).kernel
    assert kernel.count("// 2") == 1


@pytest.mark.usefixtures("checked")
@pytest.mark.parametrize("step", [2, 3, 5])
def test_facts_of_lists_that_are_read_at_strides_hold(step: int) -> None:
    """Elements between the strides have no index of their own, and stop where others do."""
    dense = np.where(np.arange(48) % 7 < 5, np.arange(48.0) + 1, 0)
    text = f"for i in range(8):\n    y[i] = x[{step}*i + 1]"
    with sa.options(tier="interpreted"):
        x = sa.asarray(dense, format="list")
        np.testing.assert_array_equal(x[::step].todense(), dense[::step])
        np.testing.assert_array_equal((x[1::step] * 2).todense(), dense[1::step] * 2)
        np.testing.assert_array_equal(np.asarray(sa.loops(text, x=x)), dense[1::step][:8])
