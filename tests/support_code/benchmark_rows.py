"""Rows of every experiment of the evaluation, as if it had been measured."""

from __future__ import annotations

from benchmarks.report import row

PEERS = {"as TACO merges": 1.0, "TACO's C": 1.5, "handwritten": 0.5, "scipy": 0.25}


def rows():
    """Rows of every experiment, in which ours takes a second, and peers what is told."""
    spmspv = [
        row(f"{way} {group} {name}", variant, 1.0, peer, seconds * factor, True)
        for way in ("walk", "picked")
        for group in ("10%", "10")
        for name, seconds in (("a", 2.0), ("b", 8.0))
        for variant in ("kernel", "whole call")
        for peer, factor in PEERS.items()
    ]
    triangles = [
        row(f"{way} {name}", "kernel", 1.0, "as TACO merges", seconds, True)
        for way in ("gallop", "lower")
        for name, seconds in (("a", 1.0), ("b", 16.0))
    ]
    convolution = [
        row(f"masked {density}%", variant, 1e-3, peer, seconds, True)
        for density, seconds in ((0.1, 1.0), (1, 1e-2), (10, 1e-4))
        for variant in ("kernel", "whole call")
        for peer in ("opencv", "scipy")
    ]
    convolution += [
        row("masked omniglot 12%", "kernel", 1.0, "opencv", 0.5, True),
        row("masked break-even", "density, %", 5.0, "opencv", 8.0, True),
    ]
    images = [
        row(f"{collection} {way}", variant, 1.0, peer, 3.0, True)
        for collection in ("mnist", "omniglot")
        for way in ("rle", "picked")
        for variant in ("kernel", "whole call")
        for peer in ("opencv", "numpy")
    ]
    images += [
        row(f"rle scan {page}", "kernel", 1.0, "opencv", seconds, True)
        for page, seconds in (("a", 20.0), ("b", 80.0))
    ]
    return {
        "spmspv": spmspv,
        "triangles": triangles,
        "convolution": convolution,
        "alpha": images,
        "similarity": images,
    }
