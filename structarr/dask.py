"""Chunks of Dask: arrays over several processes or machines; see ``docs/dask.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from structarr._dask.known_counts import count as count
from structarr._dask.learning import partial_fit as partial_fit
from structarr._dask.ordering import sort as sort, unique as unique
from structarr._dask.products import (
    ProductCosts as ProductCosts,
    matmul as matmul,
    product_costs as product_costs,
)
from structarr._dask.registration import register
from structarr._dask.splitting import from_array as from_array, rebalance as rebalance
from structarr._dask.statistics import Statistics as Statistics, statistics as statistics
from structarr._dask.united import concatenate as concatenate

if TYPE_CHECKING:
    from structarr._dask.workers import Warm as Warm

register()


def __getattr__(name: str) -> Any:
    if name != "Warm":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from structarr._dask.workers import Warm  # it needs distributed

    return Warm
