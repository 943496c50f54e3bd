"""Chunks of Dask: arrays over several processes or machines; see ``docs/dask.md``."""

from __future__ import annotations

from structarr._dask.known_counts import count as count
from structarr._dask.registration import register
from structarr._dask.splitting import from_array as from_array, rebalance as rebalance

register()
