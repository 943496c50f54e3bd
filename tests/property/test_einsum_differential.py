"""Random subscripts over random formats against NumPy's einsum."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, strategies as st
from strategies import leaves

import structarr as sa
from structarr._compiler.options import options

Draw = Callable[..., Any]


@st.composite
def contractions(draw: Draw) -> tuple[str, list[Any]]:
    """Subscripts, and for each operand our array and NumPy's."""
    lengths = {label: draw(st.sampled_from([0, 1, 2, 3, 4])) for label in "ijk"}
    inputs, pairs = [], []
    for _ in range(draw(st.integers(1, 3))):
        labels = "".join(draw(st.lists(st.sampled_from("ijk"), max_size=3)))
        once = {label for label in labels if labels.count(label) == 1}
        short = draw(st.sets(st.sampled_from(sorted(once)))) if once else set()
        shape = tuple(1 if one in short else lengths[one] for one in labels)
        dots = draw(st.integers(0, 3 - len(labels))) if draw(st.integers(0, 3)) == 0 else 0
        place = draw(st.integers(0, len(labels)))
        pairs.append(draw(leaves((*shape[:place], *[2] * dots, *shape[place:]))))
        inputs.append(f"{labels[:place]}...{labels[place:]}" if dots else labels)
    text = ",".join(inputs)
    if draw(st.booleans()):
        every = sorted({label for label in text if label.isalpha()})
        kept = draw(st.permutations(every))[: draw(st.integers(0, len(every)))]
        text += "->" + "".join(kept) + ("..." if "..." in text else "")
    return text, pairs


@given(contractions(), st.booleans())
def test_einsum_is_numpys(found: tuple[str, list[Any]], optimize: bool) -> None:
    text, pairs = found
    want = np.einsum(text, *[pair.value for pair in pairs])
    with options(tier="interpreted"):
        arrays = [sa.Array(pair.node) for pair in pairs]
        got = sa.einsum(text, *arrays, optimize=optimize)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        dense = got.todense()
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(dense, want, rtol=1e-5)
    else:
        np.testing.assert_array_equal(dense, want)
