"""What becomes of reads at places: which are moved, which stay, and what is computed first.

Values are the same whatever is chosen, so plans are looked at: a text for each expression, in which
`take(dl)` is a read of an array of dense rows of lists that a kernel does, `dl'` such columns, and
what is computed first stands behind arrows.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._array import Array, stored
from structarr._lazy.graph import Node
from structarr._scheduler.takes import AGAIN, LONG, is_read_again, placed, selected

NUMBERS = np.arange(12.0).reshape(4, 3)
DATA = np.where(NUMBERS % 2, NUMBERS, 0.0)
NAMES: dict[str, Any] = {
    **{"np": np, "sa": sa, "rows": np.array([2, 0]), "cols": np.array([1, 1, 0, 2])},
    **{"many": np.array([0, 1, 2, 3, 3, 1]), "X": np.arange(3.0), "Y": np.arange(4.0)},
    **{"XX": np.arange(6.0).reshape(3, 2), "Z": np.ones((3, 3))},
}
FORMATS = {"d": "dense", "c": "csr", "s": "csc", "k": "coo", "r": "rle", "b": "bitmap"}

PLACED = {
    "(d + c)[rows]": "map(take(dd), take(dl))",
    "c[rows]": "take(dl)",
    "s[rows]": "take(dl')",
    "(d + c)[rows] * 2": "map(map(take(dd), take(dl)), 1)",
    "(c * 2)[:, cols] * 2": "map(dl, 1) <- map(dl, 1) <- take(dl)",
    "(c * 2)[:, cols] + X[cols]": "map(dl, d) <- map(dl, 1) <- take(dl)",
    "(c + d)[rows] * (c[rows] + 1)": "map(map(take(dl), take(dd)), map(take(dl), 1))",
    "c.T[:, rows] * 2": "map(permute(take(dl)), 1)",
    "s.T[rows] * 2": "map(permute(take(dl')), 1)",
    "s[rows] * 2": "map(dl', 1) <- take(dl')",
    "s[:, cols] * 2": "map(take(dl'), 1)",
    "k[rows] * 2": "map(ll, 1) <- take(ll)",
    "r[rows] * 2": "map(take(dr), 1)",
    "b[rows] * 2": "map(take(db), 1)",
    "(c * 2)[1:][rows] * 2": "map(take(dl), 1) <- slice(map(dl, 1))",
    "(c * 2)[:, 1:][rows] * 2": "map(slice(map(take(dl), 1)), 1)",
    "c[:, 1:][rows] * 2": "map(slice(take(dl)), 1)",
    "(c * X)[rows] * 2": "map(map(take(dl), d), 1)",
    "(d[:1] + c)[rows] * 2": "map(map(slice(dd), take(dl)), 1)",
    "c[rows][rows[1:]] * 2": "map(take(take(dl)), 1)",
    "(c[rows] * 3)[rows[1:]] * 2": "map(map(take(take(dl)), 1), 1)",
    "c[rows][:, cols] * 2": "map(dl, 1) <- take(dl) <- take(dl)",
    "s[:, cols][rows] * 2": "map(dl', 1) <- take(dl') <- take(dl')",
    "(c * d).sum(axis=1)[rows] * 2": "map(d, 1) <- take(reduce(map(dl, dd)))",
    "(c * d).sum(axis=1)[many] * 2": "map(d, 1) <- take(reduce(map(dl, dd)))",
    "(c * d).sum(axis=1)[rows]": "reduce(map(take(dl), take(dd)))",
    "(c * d).sum(axis=1)[many]": "take(reduce(map(dl, dd)))",
    "(c * d).sum(axis=0)[cols[:2]] * 2": "map(d, 1) <- take(reduce(map(dl, dd)))",
    "(c * d)[None][:, rows] * 2": "map(expand(map(take(dl), take(dd))), 1)",
    "(c * d)[:, None][rows] * 2": "map(expand(map(take(dl), take(dd))), 1)",
    "(c * d)[:, :, None][rows] * 2": "map(expand(map(take(dl), take(dd))), 1)",
    "(c[None] * 2)[0][rows] * 2": "map(squeeze(map(expand(take(dl)), 1)), 1)",
    "np.squeeze(c[None] * d, 0)[rows] * 2": "map(squeeze(map(expand(take(dl)), take(dd))), 1)",
    "np.concatenate([d, s], axis=1)[rows] * 2": "map(join(take(dd), dl'), 1) <- take(dl')",
    "(c[:1] * d)[rows] * 2": "map(map(slice(dl), take(dd)), 1)",
    "c[rows] @ X": "reduce(map(take(dl), expand(d)))",
    "c[rows] @ X + Y[rows]": "map(reduce(map(take(dl), expand(d))), d)",
    "c[:, cols] @ Y": "reduce(map(dl, expand(d))) <- take(dl)",
    "c[:, cols] @ Y + 1": "map(d, 1) <- reduce(map(take(dl), expand(d)))",
    "c[:, cols] @ (Y * 2) + 1": "map(d, 1) <- reduce(map(take(dl), expand(d)))",
    "k[rows] @ X": "reduce(map(ll, expand(d))) <- take(ll)",
    "(c[rows] + d[rows]) @ X": "reduce(map(map(dl, dd), expand(d))) <- take(dl)",
    "(c[rows] @ X) * Y[rows]": "map(reduce(map(take(dl), expand(d))), d)",
    "(c[rows] * 2) @ X + Y[rows]": "map(reduce(map(map(take(dl), 1), expand(d))), d)",
    "(k[rows] * 2) @ X + Y[rows]": "map(reduce(map(map(ll, 1), expand(d))), d) <- take(ll)",
    "np.cumsum(c, axis=1)[rows] * 2": "map(dr, 1) <- take(scan(dl))",
    "c[rows].astype('f4') * 2": "map(convert(take(dl)), 1)",
    "(c * 2).astype('f4')[rows] * 2": "map(convert(map(take(dl), 1)), 1)",
    "c[rows].sum(axis=0) * 2": "map(reduce(take(dl)), 1)",
    "k[rows].sum(axis=0)": "reduce(ll) <- take(ll)",
}
SELECTED: dict[str, list[tuple[str, bool] | None]] = {
    "c[rows] @ X": [None, None],
    "c[:, cols] @ Y": [
        ("reduce(map(map(expand(dl), expand(d)), expand(permute(dp))))", False),
        None,
    ],
    "Y @ c[cols]": [None, None],
    "X @ c[:3][:, cols]": [
        ("reduce(map(map(expand(d), expand(slice(dl))), expand(dp)))", True),
        ("reduce(map(map(expand(d), expand(slice(dl))), expand(dp)))", True),
    ],
    "c[:, cols] @ np.ones((4, 2))": [
        ("reduce(map(map(expand(dl), expand(permute(dd))), expand(permute(dp))))", False),
        None,
    ],
    "np.ones((2, 4)) @ c[:, cols]": [
        ("reduce(map(map(expand(dd), expand(dl)), expand(dp)))", True),
        ("reduce(map(map(expand(dd), expand(dl)), expand(dp)))", True),
    ],
    "d[:, cols] @ Y": [None, None],
    "(c[:, cols] * d[:, cols]).sum(axis=1)": [
        ("reduce(map(map(expand(dl), expand(dd')), expand(permute(dp))))", False),
        None,
    ],
    "(c[:, cols] * 2).sum(axis=1)": [
        ("reduce(map(map(expand(dl), expand(1)), expand(permute(dp))))", False),
        None,
    ],
    "c[:, cols].sum(axis=0)": [
        ("reduce(map(expand(dl), expand(dp)))", True),
        ("reduce(map(expand(dl), expand(dp)))", True),
    ],
    "k[:, cols] @ Y": [None, None],
    "(c[:, cols] > 1) @ Y": [None, None],
    "(c > 1)[:, cols] @ np.arange(4)": [None, None],
    "np.arange(4) @ (c > 1)[:, cols]": [None, None],
    "np.ones((2, 4), int) @ (c > 1)[:, cols]": [None, None],
    "(c[:, cols] @ Y) + 1": [None, None],
    "c[:, cols] * 2": [None, None],
    "c[:, cols][rows] @ Y": [
        ("reduce(map(map(map(expand(dl), expand(d)), expand(dp)), expand(permute(dp))))", False),
        None,
    ],
    "c[:, cols] @ c[:, cols].T": [None, None],
}


def names(ours: bool) -> dict[str, Any]:
    given = {one: sa.asarray(DATA, format=FORMATS[one]) if ours else DATA for one in FORMATS}
    return {**NAMES, **given}


def shown(node: Node) -> str:
    """The operators of a node, and the first letters of the levels of its arrays."""
    if node.kind == "leaf":
        swapped = "'" if node.data.format.order != (*range(node.ndim),) else ""
        return "".join(level.kind.name[0] for level in node.data.format.levels[:-1]) + swapped
    if node.kind == "constant":
        return "1"
    args = node.args[:1] if node.kind == "take" else node.args
    return f"{node.kind}({', '.join(map(shown, args))})"


def plan(text: str) -> str:
    first: list[str] = []

    def value(node: Node) -> Any:
        if node.kind != "leaf":
            first.append(shown(node))
        return stored(Array(node))

    found = placed(eval(text, names(True))._node, value)
    return " <- ".join([shown(found), *first])


@pytest.mark.parametrize("text", PLACED)
def test_reads_are_placed(text: str) -> None:
    assert plan(text) == PLACED[text]
    np.testing.assert_array_equal(eval(text, names(True)).todense(), eval(text, names(False)))


@pytest.mark.parametrize("text", SELECTED)
def test_reads_become_selections(text: str) -> None:
    node = eval(text, names(True))._node
    found = [selected(node, lambda _, told=told: told) for told in (True, False)]
    told = [None if one is None else (shown(one.node), one.is_exact) for one in found]
    assert told == SELECTED[text]
    for one in found:
        if one is not None:
            got = Array(one.node).todense()
            np.testing.assert_array_equal(got, eval(text, names(False)))


@pytest.mark.parametrize(
    ("entries", "seconds", "strict", "again"),
    [
        (0, 0.9 * LONG, False, False),
        (0, 1.1 * LONG, False, True),
        (10**6, 0.5, False, True),  # loops over what is computed first are shorter
        (10**6, 0.9e6 * AGAIN, True, False),
        (10**6, 1.1e6 * AGAIN, True, True),
    ],
)
def test_sums_read_again_that_take_long_for_their_entries(
    entries: int, seconds: float, strict: bool, again: bool
) -> None:
    array = sa.asarray(DATA, format="csr")
    given: Any = SimpleNamespace(tensors=[SimpleNamespace(counts=(4, entries))])
    node = (array[np.array([2, 0])] @ np.arange(3.0))._node
    with sa.options(strict_ieee=strict):
        assert is_read_again(node, lambda given: seconds, given) == again
