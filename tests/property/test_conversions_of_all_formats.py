"""Every named format to every other, the buffers checked as those of a stranger."""

from itertools import product

import numpy as np
import pytest
from fitting import fits, fitted
from strategies import checked, computed, stored

from structarr._compiler.options import options
from structarr._lazy import graph
from structarr._storage.dense import to_dense
from structarr.errors import FormatError
from structarr.formats import name_table, parse

NAMES = tuple(name for name in name_table.NAMES if name not in ("list", "csf"))  # csr and dcsr
RNG = np.random.default_rng(0)
DATA = np.where(RNG.random((5, 5)) < 0.6, RNG.integers(-2, 3, (5, 5)), 0).astype(float)


@pytest.mark.parametrize("left", NAMES)
def test_to_every_other_and_back(left: str) -> None:
    for k, right in enumerate(NAMES):
        fill = (0.0, 1.0)[k % 2]
        formats = [parse(name, 2, index) for name, index in ((left, "int64"), (right, "int32"))]
        data = fitted(DATA, formats[0], fill, formats[1])
        with options(tier="interpreted"):
            there = stored(data, formats[0], fill)
            back = computed(graph.leaf(computed(graph.leaf(there), formats[1])), formats[0])
        np.testing.assert_array_equal(to_dense(back), data, str((left, right)))
        assert name_table.matches(formats[0], back.format)


FEW = [
    (name, (n, m))
    for n, m in [(0, 0), (1, 1), (0, 3), (3, 0), (1, 4), (4, 1)]
    for name in NAMES
    if n == m or not any(level.square for level in parse(name, 2).levels)
]


@pytest.mark.parametrize(("name", "shape"), FEW)
def test_of_few_elements(name: str, shape: tuple[int, int]) -> None:
    format = parse(name, 2)
    with options(tier="interpreted"):
        for value in (0.0, 2.0):
            data = fitted(np.full(shape, value), format, 0.0)
            tensor = checked(stored(data, format))
            np.testing.assert_array_equal(to_dense(tensor), data)
            again = computed(graph.elementwise("add", [graph.leaf(tensor), 1.0]))
            np.testing.assert_array_equal(to_dense(again), data + 1)


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_fit_is_refused(name: str) -> None:
    format = parse(name, 2)
    for data in (DATA, DATA[:3], DATA + 1j):
        with options(tier="interpreted"):
            if len(data) == 5 or not any(level.square for level in format.levels):
                if fits(data, format, 0):
                    stored(data, format)
                    continue
                with pytest.raises(FormatError, match=r"cannot be stored as .*: a\[\d, \d\] = "):
                    stored(data, format)
            else:
                with pytest.raises(FormatError, match="is for square matrices, not shape"):
                    stored(data, format)


@pytest.mark.parametrize(("left", "right"), list(product(("csr", "rle", "symmetric"), NAMES)))
def test_products_of_a_format_and_the_transpose_of_another(left: str, right: str) -> None:
    formats = [parse(name, 2) for name in (left, right)]
    data = [fitted(DATA, format, 0.0) for format in formats]
    nodes = [graph.leaf(stored(one, format)) for one, format in zip(data, formats, strict=True)]
    with options(tier="interpreted"):
        result = computed(
            graph.elementwise("multiply", [nodes[0], graph.permute(nodes[1], (1, 0))])
        )
    np.testing.assert_array_equal(to_dense(result), data[0] * data[1].T)
