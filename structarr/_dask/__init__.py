"""Arrays as chunks of Dask: how they join, travel, and are computed inside their tasks."""
