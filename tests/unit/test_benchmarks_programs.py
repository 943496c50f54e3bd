"""The benchmarks of programs: that kernels by hand are right, and rows are as promised."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from benchmarks import contractions, convolution, programs, report, scaling, spmspv, triangles
from benchmarks.handwritten_programs import gallop
from benchmarks.timing import kernels_alone

RNG = np.random.default_rng(0)


def _matrix(side, density):
    csr = sp.random_array((side, side), density=density, rng=np.random.default_rng(0), format="csr")
    csr.indptr, csr.indices = csr.indptr.astype(np.int32), csr.indices.astype(np.int32)
    return csr


def test_products_by_every_strategy_are_checked():
    rows = list(spmspv.products("random", _matrix(60, 0.1), 0.01))
    assert all(row.checked for row in rows)
    assert {row.case for row in rows} == {
        f"{strategy} {count} random"
        for strategy in (*spmspv.PROGRAMS, "picked", "picked csc")
        for count in ("10%", "10")
    }
    assert {row.variant for row in rows} == {"kernel", "whole call"}


def test_triangles_of_a_directed_graph_with_loops_are_checked():
    graph = _matrix(40, 0.2) + sp.eye_array(40, format="csr")
    rows = list(triangles.counts("random", graph.astype(bool), 0.01))
    peers = {"handwritten", "hand, branchless", "as TACO merges", "scipy"}
    assert peers <= {row.peer for row in rows}
    assert {row.case.split()[0] for row in rows} == {"walk", "gallop", "picked"}
    assert all(row.checked for row in rows)


def test_products_of_tensors_and_in_chains_are_checked():
    rows = [
        *contractions.tensors(500, 0.01),
        *contractions.products("random", _matrix(40, 0.1), 0.01),
    ]
    assert {row.case.partition(" ")[0] for row in rows} >= {"MTTKRP", "a", "(a", "(u"}
    assert all(row.checked for row in rows)


def test_growth_and_threads_are_measured():
    rows = [*scaling.growth((2000, 8000), 0.01), *scaling.threads(8000, 0.01)]
    assert all(row.checked for row in rows)
    assert {row.variant.split()[0] for row in rows} == {"time", "bytes", "gain"}


@pytest.mark.parametrize("density", [0.0, 0.2])
def test_masked_convolutions_are_checked(density):
    rows = list(convolution.masked("random", convolution.random(20, density), 0.01))
    assert {"handwritten", "scipy"} <= {row.peer for row in rows}
    assert {row.case for row in rows} == {"masked random", "picked random"}
    assert all(row.checked for row in rows)


def test_the_density_of_equal_speed_lies_between_measured_ones():
    rows = {
        density: [report.row("masked", "kernel", 1.0, "opencv", ratio, True)]
        for density, ratio in ((0.01, 10.0), (0.04, 2.0), (0.16, 0.5))
    }
    (found,) = convolution.break_even("masked", rows)
    assert found.peer_seconds == pytest.approx(8.0)
    assert not list(convolution.break_even("picked", rows))
    assert not list(convolution.break_even("masked", {0.01: rows[0.01]}))


def test_a_wrong_peer_is_noticed():
    jobs = [{"x": np.arange(4.0)}, {"x": np.ones(4)}]
    peers = {
        "right": programs.Peer(_nothing, lambda: [6.0, 4.0]),
        "wrong": programs.Peer(_nothing, lambda: [6.0, 5.0]),
    }
    rows = list(programs.compared("sums", "s += x[i]", jobs, peers, 0.01))
    assert {row.peer: row.checked for row in rows} == {"right": True, "wrong": False}


def _nothing():
    return None


def test_a_programs_kernel_alone_runs_with_the_arguments_of_the_call():
    program, x = "y[i] += 2 * x[i]", np.array([1.0, 2.0, 3.0])
    with sa.options(tier="compiled"):
        call = kernels_alone(partial(sa.loops, program, x=x))
    (result,) = [arg for arg in call.args if isinstance(arg, np.ndarray) and arg.flags.writeable
                 and np.array_equal(arg, 2 * x)]  # fmt: skip
    call()
    assert result[0] > 1.0


@pytest.mark.parametrize("key", range(12))
@pytest.mark.parametrize("at", [0, 3, 5])
def test_galloping_by_hand_finds_what_a_search_finds(key, at):
    idx = np.array([1, 4, 5, 7, 10])
    assert gallop(idx, key, at, len(idx)) == max(at, np.searchsorted(idx, key))
