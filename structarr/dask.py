"""Chunks of Dask: arrays over several processes or machines; see ``docs/dask.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from structarr._dask.sums import sum_chunks as sum_chunks
from structarr._dask.united import concatenate as concatenate
from structarr._support.on_demand import homes, on_demand

if TYPE_CHECKING:
    from structarr._dask.workers import Warm as Warm
    from structarr._dask.zarr import from_zarr as from_zarr, to_zarr as to_zarr

register()

_PLACES = homes("structarr._dask", {"workers": "Warm", "zarr": "from_zarr to_zarr"})
"""Where names are that need more than Dask: distributed, Zarr."""

if not TYPE_CHECKING:  # for type checkers, every name would be there
    __getattr__, __dir__ = on_demand(__name__, _PLACES)
