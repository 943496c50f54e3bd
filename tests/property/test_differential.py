"""Random expressions over random formats against dense NumPy, in both tiers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from example_counts import examples
from fitting import fits, fitted, formats_for, is_refused
from hypothesis import given, settings, strategies as st
from strategies import Pair, computed, convolutions, joined, leaves, programs, stored

from structarr._compiler.options import options
from structarr._lazy import graph
from structarr._storage.dense import to_dense
from structarr.formats import Format, Pattern, parse


def check(pair: Pair, fmt: Format | None = None) -> None:
    """The kernel's value is NumPy's: shape, dtype, and values (float sums to rounding)."""
    result = computed(pair.node, fmt)
    got, want = to_dense(result), np.asarray(pair.value)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(got, want, rtol=1e-5)
    else:
        np.testing.assert_array_equal(got, want)


@examples(0.4)
@given(programs())
def test_expressions_interpreted(pair: Pair) -> None:
    with options(tier="interpreted"):
        check(pair)


@given(st.data())
def test_expressions_in_a_format_asked_for(data: st.DataObject) -> None:
    """What NumPy's value fits is stored so; what it does not fit is refused."""
    pair = data.draw(programs())
    fmt = data.draw(formats_for(pair.node.shape, pair.node.dtype))
    with options(tier="interpreted"):
        fill = computed(pair.node).fill
        if fmt.levels[-1] is not Pattern() or not fill:
            refused = is_refused(lambda: check(pair, fmt))
            if not refused and not np.array_equal(own := computed(pair.node, fmt).fill, fill, True):
                np.testing.assert_array_equal(pair.value, own)  # one value everywhere is the fill
                fill = own
            assert refused is not fits(np.asarray(pair.value), fmt, fill)


@given(convolutions())
def test_convolutions(pair: Pair) -> None:
    with options(tier="interpreted"):
        check(pair)


@examples(0.4)
@given(st.data())
def test_concatenations_of_many(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, 4), min_size=2, max_size=3))
    axis = data.draw(st.integers(0, 1))
    shapes = [(n, 3) if axis == 0 else (3, n) for n in lengths]
    with options(tier="interpreted"):
        check(joined([data.draw(leaves(shape)) for shape in shapes], axis))


FORMATS = ("dense", "csr", "csc", "dcsr", "rle", "bitmap", "band")
FEW = [
    ("add", "csr", "rle"),
    ("multiply", "csc", "csr"),
    ("maximum", "dcsr", "band"),
    ("less_equal", "band", "bitmap"),
]


@pytest.mark.parametrize(("op", "left", "right"), FEW)
@examples(0.4)
@given(seed=st.integers(0, 2**16), shape=st.tuples(*[st.integers(0, 9)] * 2))
def test_few_kernels_compiled(
    op: str, left: str, right: str, seed: int, shape: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    data = [np.where(rng.random(shape) < 0.4, rng.integers(-4, 5, shape), 0) for _ in range(2)]
    arrays = [one.astype(float) for one in data]
    want = getattr(np, op)(*arrays)
    # A mode of length one broadcasts: it makes another kernel, which the interpreted tier tests.
    with options(tier="interpreted" if 1 in shape else "compiled"):
        names = [parse(left, 2), parse(right, 2)]
        nodes = [graph.leaf(stored(d, fmt)) for d, fmt in zip(arrays, names, strict=True)]
        check(Pair(graph.elementwise(op, nodes), want))


ODD = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan])
STRICT = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "fmax", "fmin", "power")
STRICT += ("greater", "equal", "hypot", "arctan2", "floor_divide", "remainder", "logical_and")


@st.composite
def odd_values(draw: Any, shape: tuple[int, ...]) -> np.ndarray:
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    chosen = rng.choice(ODD, shape)
    return np.where(rng.random(shape) < draw(st.sampled_from([0.3, 0.6, 1.0])), chosen, 0.0)


def exact(op: str, nodes: list[graph.Node], data: list[np.ndarray]) -> None:
    with np.errstate(all="ignore"):
        want = getattr(np, op)(*data)
    np.testing.assert_array_equal(to_dense(computed(graph.elementwise(op, nodes))), want)


@examples(2)
@given(st.data())
def test_strict_ieee_is_numpy(data: st.DataObject) -> None:
    """Infinities and NaN against structural zeros, in every format."""
    shape = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 6)))
    op = data.draw(st.sampled_from(STRICT))
    # Where the sign of a zero shows in more than a zero, -0.0 is left out: fills forget it.
    formats = [data.draw(formats_for(shape)) for _ in range(2)]
    arrays = [fitted(data.draw(odd_values(shape)) + 0.0, fmt, 0.0) for fmt in formats]
    with options(strict_ieee=True, tier="interpreted"):
        nodes = [graph.leaf(stored(*pair)) for pair in zip(arrays, formats, strict=True)]
        exact(op, nodes, arrays)


@given(st.data())
def test_strict_reductions(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(3, 5), (4, 4)]))
    fmt = data.draw(formats_for(shape))
    values = fitted(data.draw(odd_values(shape)) + 0.0, fmt, 0.0)
    axis = data.draw(st.sampled_from([(0,), (1,), (0, 1)]))
    op, fn = data.draw(
        st.sampled_from([("add", np.sum), ("multiply", np.prod), ("maximum", np.max)])
    )
    with options(strict_ieee=True, tier="interpreted"), np.errstate(all="ignore"):
        node = graph.leaf(stored(values, fmt))
        got = to_dense(computed(graph.reduce(op, node, axis, False, np.dtype(float))))
        np.testing.assert_allclose(got, fn(values, axis=axis))


@examples(0.6)
@given(st.data())
def test_dense_operands_are_numpy_without_strictness(data: st.DataObject) -> None:
    """All-dense operands obey IEEE to the sign of zero, whatever the options."""
    arrays = [data.draw(odd_values((3, 4))) for _ in range(2)]
    op = data.draw(st.sampled_from(STRICT))
    with options(tier="interpreted"), np.errstate(all="ignore"):
        nodes = [graph.leaf(stored(one, parse("dense", 2))) for one in arrays]
        got = to_dense(computed(graph.elementwise(op, nodes)))
        want = getattr(np, op)(*arrays)
    np.testing.assert_array_equal(got, want)
    if want.dtype.kind == "f" and op not in ("fmax", "fmin"):  # there NumPy's own loops differ
        finite = ~np.isnan(want)
        np.testing.assert_array_equal(np.signbit(got)[finite], np.signbit(want)[finite])


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("op", ["multiply", "logical_and"])
def test_structural_zeros_annihilate_by_default(fmt: str, op: str) -> None:
    """The documented table: a fill of zero annihilates even what IEEE says it does not."""
    sparse = np.array([[0.0, 2.0, 1.0, 0.0]])
    odd = np.array([[np.inf, np.nan, np.nan, -np.inf]])
    nodes = [graph.leaf(stored(sparse, parse(fmt, 2))), graph.leaf(stored(odd, parse("dense", 2)))]
    with options(tier="interpreted"), np.errstate(invalid="ignore"):
        got = to_dense(computed(graph.elementwise(op, nodes)))
        want = getattr(np, op)(sparse, odd)
    if fmt in ("dense", "rle"):  # these store every value: nothing is structural
        np.testing.assert_array_equal(got, want)
    else:
        np.testing.assert_array_equal(got, np.where(sparse == 0, 0, want))


@pytest.mark.long
@settings(max_examples=5000)
@given(programs())
def test_expressions_at_length(pair: Pair) -> None:
    with options(tier="interpreted"):
        check(pair)


@pytest.mark.long
@settings(max_examples=300)
@given(programs())
def test_expressions_compiled_at_length(pair: Pair) -> None:
    with options(tier="compiled"):
        check(pair)
