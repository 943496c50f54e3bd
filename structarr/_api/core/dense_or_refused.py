"""NumPy's functions that structure does not help: on dense arrays, or refused with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.dense_fallback import published, through
from structarr._api.core.publish import REFUSED, publish, refuse, title
from structarr._array import Array

# `structarr.save` and `structarr.linspace` take other arguments.
published(np.save, "Write a dense array to a file of NumPy's format")
published(np.linspace, "Evenly spaced values, by their ends")


_WRITERS: dict[Any, str] = {
    np.copyto: "bind the name to the other array, or use structarr.where",
    np.fill_diagonal: "use a[i, i] = value with i = numpy.arange(n), or a sum with structarr.diag",
    np.place: "use a[mask] = values, or structarr.where",
    np.put: "use a[indices] = values",
    np.putmask: "use a[mask] = values, or structarr.where",
}


def _writer(twin: Any, instead: str) -> None:
    """Publish a function that writes into its first argument: NumPy's array, but not ours."""

    def write(target: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(target, Array):
            raise TypeError(
                f"{title(twin)} writes into its first argument, and structarr arrays are values: "
                f"{instead}"
            )
        return through(twin, target, *args, **kwargs)

    publish(twin, how="dense")(write)
    REFUSED[twin] = f"arrays are values: {instead}"


for _twin, _instead in _WRITERS.items():
    _writer(_twin, _instead)

_DATES = "dates are not stored: give NumPy's arrays"
_BITS = "its bits are those of dense bytes: call it on a.todense()"
_REFUSED: dict[Any, str] = {
    np.busday_count: _DATES,
    np.busday_offset: _DATES,
    np.datetime_as_string: _DATES,
    np.is_busday: _DATES,
    np.isnat: _DATES,
    np.packbits: _BITS,
    np.unpackbits: _BITS,
}
for _twin, _why in _REFUSED.items():
    refuse(_twin, _why)
