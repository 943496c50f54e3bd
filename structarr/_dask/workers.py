"""Workers of a cluster, prepared once; their kernels are kept on disk, where all find them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from distributed import WorkerPlugin

from structarr._api.programs.common_kernels import warm


class Warm(WorkerPlugin):  # type: ignore[misc]
    """
    A plug-in that compiles the commonest kernels when a worker starts.

    Give it to ``client.register_plugin``: workers that come later have it, too. The first compiles,
    and keeps the code in the folder of `STRUCTARR_CACHE_DIR`; the others load it from there.

    Parameters
    ----------
    formats : sequence of str
        Of matrices, as `structarr.warm` takes them.
    dtypes : sequence of str
        Of their values.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.dask.Warm(["csr"], ["float32"]).name
    'structarr-warm'
    """

    name = "structarr-warm"
    idempotent = True

    def __init__(
        self, formats: Sequence[str] = ("csr",), dtypes: Sequence[str] = ("float64",)
    ) -> None:
        self.formats = tuple(formats)
        self.dtypes = tuple(dtypes)

    def setup(self, worker: Any) -> None:
        """Compile the kernels, or load them, before the worker's first task."""
        warm(self.formats, self.dtypes)
