"""Chunks of Dask: arrays over several processes or machines; see ``docs/dask.md``."""

from __future__ import annotations

from importlib import import_module
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
from structarr._dask.sums import sum_chunks as sum_chunks
from structarr._dask.united import concatenate as concatenate

if TYPE_CHECKING:
    from structarr._dask.workers import Warm as Warm
    from structarr._dask.zarr import from_zarr as from_zarr, to_zarr as to_zarr

register()

_HOMES = {"Warm": "workers", "from_zarr": "zarr", "to_zarr": "zarr"}
"""Where names are that need more than Dask: distributed, Zarr."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"structarr._dask.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
