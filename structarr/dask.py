"""Chunks of Dask: arrays over several processes or machines; see ``docs/dask.md``."""

from __future__ import annotations

from structarr._dask.registration import register

register()
