"""Expressions as the compiler schedules them, beside other libraries and kernels by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import structarr as sa
from benchmarks.programs import computed, equal
from benchmarks.report import Row, row
from benchmarks.timing import Call, parts, race


def picked(
    case: str, make: Callable[[], sa.Array], peers: Mapping[str, Call], seconds: float
) -> Iterator[Row]:
    """
    Yield the rows of an expression: its kernels alone and its whole call, beside each peer.

    Parameters
    ----------
    case : str
        What the rows are called.
    make : callable
        Makes the expression anew.
    peers : mapping of str to callable
        Who is compared with: calls that return the value.
    seconds : float
        How long to measure.
    """

    compute = partial(computed, make)
    found = compute()
    calls = parts(compute)
    checked = {name: _equal(found, call()) for name, call in peers.items()}
    times = race({**calls, **peers}, seconds)
    for name, verdict in checked.items():
        for variant in calls:
            yield row(case, variant, times[variant], name, times[name], verdict)


def _equal(ours: sa.Array, theirs: Any) -> bool:
    if ours.ndim == 2 and sp.issparse(theirs):
        difference = abs(ours.to_scipy("csr") - sp.csr_array(theirs))
        return bool(difference.max() <= 1e-9 * max(1.0, abs(theirs).max()))
    dense = theirs.todense() if hasattr(theirs, "todense") else theirs
    return equal(ours.todense(), np.asarray(dense).reshape(ours.shape))
