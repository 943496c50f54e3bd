"""Tables of bounded size, and what they let go."""

import gc
import linecache
import sys

import numpy as np
import pytest

import structarr as sa
from structarr._array import stored
from structarr._compiler.backend import kernel
from structarr._compiler.rules.defaults import default_rules
from structarr._execute import choices, expression_key, replay_table, workspace_pool
from structarr._execute.partition_cuts import MOST as PIECES
from structarr._execute.partition_rows import rows
from structarr._lazy import graph, structure
from structarr._support import buffer_pool, caches

HEAVY = (kernel._kernels, choices._choices, replay_table._recorded)
TABLES = (
    *HEAVY,
    expression_key._distinctions,
    *(graph._outlines, structure._numbers, buffer_pool._waiting, workspace_pool._waiting),
)


@pytest.fixture(autouse=True)
def interpreted():
    with sa.options(tier="interpreted"):
        yield


def lists():
    return sa.asarray(np.eye(4), format="csr")


def shifted(a, number):
    """A sum by a kernel of its own: its operator is another for each number."""
    return sa.operator(lambda x, y: x * y + number, name="shifted")(a, a).sum().item()


def test_tables_have_as_many_entries_as_they_may(monkeypatch):
    monkeypatch.setattr(caches, "MOST", 6)
    sa.clear_cache()
    a = lists()
    for number in range(40):
        assert shifted(a, number) == 4 + 16 * number
    assert all(len(table) <= 6 * caches.LIGHT for table in TABLES)
    assert all(len(table) <= 6 for table in HEAVY)
    assert len(default_rules(False)._found) <= 6
    assert kernel._kernels


def test_clearing_empties_all_tables():
    shifted(lists(), 1)
    sa.clear_cache()
    assert not any(TABLES)
    assert shifted(lists(), 1) == 20


def test_texts_of_interpreted_kernels_go_with_them():
    sa.clear_cache()
    gc.collect()
    before = len(linecache.cache)
    for number in range(10):
        shifted(lists(), number)
    assert len(linecache.cache) > before
    sa.clear_cache()
    gc.collect()
    assert len(linecache.cache) <= before


@pytest.mark.parametrize("again", [False, True], ids=["compiled", "loaded"])
def test_no_module_of_a_compiled_kernel_stays(monkeypatch, tmp_path, again):
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    a = lists()
    with sa.options(tier="compiled"):
        expected = shifted(a, 3)
        before = set(sys.modules)
        if again:
            sa.clear_cache()
            assert shifted(a, 3) == expected
        else:
            assert shifted(a, 5) == 84
        assert not set(sys.modules) - before
        assert not [name for name in sys.modules if name.startswith("k_")]


def test_an_array_remembers_as_many_pieces_as_it_may():
    a = stored(sa.asarray(np.eye(500), format="csr"))
    for lo in range(400):
        assert rows(a, lo, lo + 100).shape == (100, 500)
    assert len(a.memo["rows"]) <= 4 * PIECES
    assert rows(a, 7, 9) is rows(a, 7, 9)
