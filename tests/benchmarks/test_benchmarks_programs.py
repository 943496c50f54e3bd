"""The benchmarks of programs: that kernels by hand are right, and rows are as promised."""

from __future__ import annotations

from functools import partial
from itertools import islice

import numpy as np
import pytest
import scipy.sparse as sp

import structarr as sa
from benchmarks import (
    contest,
    contractions,
    convolution,
    growth,
    peers,
    plots,
    programs,
    report,
    scaling,
    spmspv,
    taco,
    triangles,
    two_threads,
)
from benchmarks.handwritten_programs import gallop
from benchmarks.timing import kernels_alone


def _matrix(side, density):
    csr = sp.random_array((side, side), density=density, rng=np.random.default_rng(0), format="csr")
    csr.indptr, csr.indices = csr.indptr.astype(np.int32), csr.indices.astype(np.int32)
    return csr


SPMSPV = (*spmspv.PROGRAMS, "vbl", "vbl lead", "bytemap", "picked", "picked csc", "picked vbl")


def _every_way_has_every_peer(rows, peers):
    """Of every case, by kernel and by whole call."""
    seen = {}
    for row in rows:
        seen.setdefault((row.case, row.variant), set()).add(row.peer)
    assert {variant for _, variant in seen} == {"kernel", "whole call"}
    assert all(peers <= found for found in seen.values())


FIRST = {
    "spmspv": lambda: spmspv._ways(_matrix(60, 0.1), spmspv._vector(60, 6)),
    "triangles": lambda: triangles._ways(_matrix(40, 0.2).astype(bool)),
}


@pytest.mark.parametrize("name", ["spmspv", pytest.param("triangles", marks=pytest.mark.long)])
def test_a_way_is_checked_against_its_kernels_by_hand(name):
    ((way, made),) = islice(FIRST[name](), 1)
    rows = list(contest.contest({way: made}, {}, 0.01))
    assert rows and all(row.checked for row in rows)
    assert "handwritten" in {row.peer for row in rows}


@pytest.mark.long
def test_products_by_every_strategy_are_checked():
    rows = list(spmspv.products("random", _matrix(60, 0.1), 0.01))
    assert all(row.checked for row in rows)
    assert {row.case for row in rows} == {
        f"{way} {count} random" for way in SPMSPV for count in ("10%", "10")
    }
    _every_way_has_every_peer(rows, {"handwritten", "as TACO merges", "scipy", "scipy, dense x"})


@pytest.mark.long
def test_products_use_the_formats_that_suit_a_matrix():
    lines = sp.diags_array([1.0, 2.0, 1.0], offsets=[-1, 0, 1], shape=(15, 15), format="csr")
    lines.indptr, lines.indices = lines.indptr.astype(np.int32), lines.indices.astype(np.int32)
    rows = list(spmspv.products("random", lines, 0.01))
    assert all(row.checked for row in rows)
    assert {row.case.split()[0] for row in rows} >= {"band", "symmetric"}


@pytest.mark.long
def test_triangles_of_a_directed_graph_with_loops_are_checked():
    graph = _matrix(40, 0.2) + sp.eye_array(40, format="csr")
    rows = list(triangles.counts("random", graph.astype(bool), 0.01))
    ways = {"walk", "gallop", "vbl", "bitmap", "picked", "lower"}
    assert {row.case.split()[0] for row in rows} == ways
    assert all(row.checked for row in rows)
    _every_way_has_every_peer(rows, {"as TACO merges"})
    whole = [row for row in rows if not row.case.startswith("lower")]
    _every_way_has_every_peer(whole, {"scipy"})


@pytest.mark.long
def test_products_that_would_take_too_long_are_left_out_with_a_line(monkeypatch, capsys):
    monkeypatch.setattr(triangles, "SCIPY", 10)
    rows = list(triangles.counts("random", _matrix(20, 0.3).astype(bool), 0.01))
    assert "scipy" not in {row.peer for row in rows}
    assert "left out: scipy on random" in capsys.readouterr().err


def test_a_missing_compiler_is_left_out_with_a_line(monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    taco.compiled.cache_clear()
    assert taco.triangles(0, ()) == {}
    assert "left out: TACO's C" in capsys.readouterr().err
    taco.compiled.cache_clear()


def test_the_compiled_peer_leaves_subnormal_numbers_as_they_are():
    taco.compiled.cache_clear()
    taco.compiled()
    assert np.nextafter(0.0, 1.0) * np.float64(1.0) > 0


def test_missing_peers_are_left_out(monkeypatch):
    monkeypatch.setattr(peers, "library", lambda module: None)
    monkeypatch.setattr(peers, "graphblas", lambda: None)
    monkeypatch.setattr(taco, "compiled", lambda: None)
    found = dict(spmspv._peers(_matrix(20, 0.3), spmspv._vector(20, 2)))
    assert set(found) == {"as TACO merges", "scipy", "scipy, dense x"}


def test_a_wrong_way_is_noticed():
    right, wrong = ("y[i] = 2 * x[i]", "y[i] = 3 * x[i]")
    x = np.arange(4.0)
    ways = {text: contest.program(text, {"x": x}, {}) for text in (right, wrong)}
    rows = list(contest.contest(ways, {"numpy": programs.values(lambda: 2 * x)}, 0.01))
    assert {row.case: row.checked for row in rows} == {right: True, wrong: False}


@pytest.mark.long
def test_products_of_tensors_are_checked():
    rows = list(contractions.tensors(500, 0.01))
    assert "MTTKRP" in {row.case.partition(" ")[0] for row in rows}
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_products_in_chains_are_checked():
    rows = list(contractions.products("random", _matrix(40, 0.1), 0.01))
    assert {row.case.partition(" ")[0] for row in rows} >= {"a", "(a", "(u"}
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_growth_is_measured():
    rows = list(growth.rows((2000, 8000), 0.01))
    assert all(row.checked for row in rows)
    assert {row.variant.split(",")[0] for row in rows} == {"time", "bytes", "slope"}
    slopes = [row.case for row in rows if row.variant == "slope, bytes"]
    assert slopes == [f"{name} 8e+03" for name in growth.CASES]
    points = plots.points_of(rows, "time")
    assert {name: len(found) for name, found in points.items()} == dict.fromkeys(growth.CASES, 2)


def test_sizes_that_do_not_fit_are_said(monkeypatch, capsys):
    monkeypatch.setattr(growth, "available", lambda: 150_000)
    monkeypatch.setattr(peers, "graphblas", lambda: None)
    cases = {row.case for row in growth.rows((8000, 10**9), 0.01)}
    assert cases == {"a @ x 8e+03", "a.sum(axis=1) 8e+03", "a.sum(axis=0) 8e+03"}
    lines = capsys.readouterr().err.splitlines()
    needed = "0.0002 GB of memory, of which 0.000135 GB can be had"
    assert lines[0] == f"left out: 2 * a 8e+03; to have it: {needed}"
    assert len(lines) == 4 + len(growth.CASES)


@pytest.mark.long
def test_mapped_files_are_measured():
    rows = list(scaling.mapped(2000, 0.01))
    assert [row.case for row in rows] == [f"{name} 2e+03" for name in ("load", *growth.CASES)]
    assert all(row.checked for row in rows)


@pytest.mark.long
def test_threads_are_measured_beside_processes():
    *rows, mean, least, load = two_threads.rows(8000, 0.01, ("one row",), names=("a @ x", "a * b"))
    assert all(row.checked for row in rows)
    assert [row.case for row in rows] == ["a @ x one row", "a * b one row"]
    assert {row.variant.split()[0] for row in rows} == {"gain"}
    assert least.ratio <= mean.ratio <= max(row.ratio for row in rows)
    assert load.variant == "load"
    first, *_ = two_threads.rows(8000, 0.01, ("even",), names=("a + b",), anew=True)
    assert first.checked


@pytest.mark.long
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
