"""Nodes are interned: equal means identical, for literals to the bit."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import weakref

import pytest

from structarr._compiler.ir.expr import INDEX, Index, Lit, add
from structarr._compiler.ir.node import Node, substitute
from structarr._compiler.ir.variables import Var

LITERALS = [
    ("int64", 1),
    ("bool", True),
    ("float64", 1.0),
    ("float64", 0.0),
    ("float64", -0.0),
    ("bool", False),
    ("int64", 0),
    ("float64", float("nan")),
    ("float64", float("inf")),
    ("complex128", 0j),
    ("complex128", complex(0.0, -0.0)),
    ("float32", 1.0),
]


def test_literals_differ_by_type_and_bits() -> None:
    nodes = [Lit(dtype, value) for dtype, value in LITERALS]
    assert len(set(nodes)) == len(LITERALS)
    assert all(a is b for a, b in zip(nodes, [Lit(*one) for one in LITERALS], strict=True))


def test_the_type_of_the_value_counts_within_a_dtype() -> None:
    assert len({Lit("float64", 1), Lit("float64", True), Lit("float64", 1.0)}) == 3


def test_nan_is_itself_and_structural_is_another() -> None:
    assert Lit("float64", float("nan")) is Lit("float64", float("nan"))
    assert Lit("float64", 0.0) is not Lit("float64", 0.0, True)


def test_named_fields_and_defaults_make_the_same_node() -> None:
    assert Var(dtype=INDEX, name="x") is Var(INDEX, "x", False)
    with pytest.raises(TypeError, match="needs the field 'name'"):
        Var(INDEX)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes the fields"):
        Var(INDEX, "x", False, 1, 3)  # type: ignore[call-arg]


def test_copies_and_pickles_intern_again() -> None:
    node = add(Var(INDEX, "x"), 3)
    assert pickle.loads(pickle.dumps(node)) is node
    assert copy.copy(node) is node
    assert copy.deepcopy(node) is node
    for dtype, value in LITERALS:
        lit = Lit(dtype, value)
        assert pickle.loads(pickle.dumps(lit)) is lit


def test_nodes_are_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Index("i").name = "j"


def test_nodes_die_with_their_last_user() -> None:
    node = Var(INDEX, "nobody else uses this name")
    watched = weakref.ref(node)
    assert len(Var._interned)
    del node
    gc.collect(1)
    assert watched() is None


def test_nodes_visits_each_node_once() -> None:
    x = Var(INDEX, "x")
    node = add(x, 2)
    assert [*node.nodes()] == [node, x]
    assert node.mentions(x)
    assert substitute(node, {x: Lit(INDEX, 5)}) is Lit(INDEX, 7)


def test_a_tree_has_the_classes_of_its_nodes_and_those_above_them() -> None:
    x = Var(INDEX, "x")
    node = add(x, Index("i"))
    assert [node.has(kind) for kind in (Var, Index, Lit, Node)] == [True, True, False, True]
    assert node.every(Index) == (Index("i"),)
    assert node.every(Lit) == ()


def test_threads_that_make_a_node_at_once_get_the_same() -> None:
    made: list[list[Var]] = []
    ready = threading.Barrier(4)

    def make(turn: int) -> None:
        ready.wait()
        made.append([Var(INDEX, f"raced_{turn}_{k}") for k in range(50)])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for turn in range(50):
            made.clear()
            threads = [threading.Thread(target=make, args=(turn,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert all(len(set(nodes)) == 1 for nodes in zip(*made, strict=True))
    finally:
        sys.setswitchinterval(interval)
