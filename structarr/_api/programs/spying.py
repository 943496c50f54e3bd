"""Pictures of where arrays store something."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr._api.core.operands import as_array
from structarr._array import stored
from structarr._explain.drawing import STRUCTURES, structure_of
from structarr._storage.binned import binned
from structarr._support.array_types import ArrayLike
from structarr.errors import FormatError
from structarr.formats import name_of

COLOURS = {
    "runs": "#c2550a",
    "blocks": "#1a7f37",
    "single": "#0969da",
    "rule": "#8250df",
    "full": "#57606a",
}


def spy(
    a: ArrayLike,
    /,
    ax: Any = None,
    *,
    bins: int = 256,
    most: int | None = 2**24,
    values: bool = False,
) -> Any:
    """
    Draw where an array stores something, coloured by how it does, on axes of Matplotlib.

    Nothing is made dense: what is stored is counted in the cells of a grid, run by run. A cell is
    the darker the larger the share of its elements is that is stored.

    Parameters
    ----------
    a : array_like
        Of at least one axis; a lazy array is computed. Of more than two axes, the last two are
        drawn, and the others over one another.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.
    bins : int
        The most cells along an axis; a shorter axis has a cell for each index.
    most : int or None
        The most stored values that are looked at. Of more, so many at even distances are; None
        looks at all of them.
    values : bool
        Whether values are left out that equal the fill value; they are in formats that store
        every element, unless a rule makes them.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the format and what is stored in their title.

    Raises
    ------
    ImportError
        Where Matplotlib is missing; ``pip install structarr[plot]`` brings it.
    FormatError
        If a level from outside does not tell where its values are, and listing takes too long.
    ValueError
        If the array has no axes, or `bins` or `most` is less than 1.

    See Also
    --------
    explain : What is computed, and how.

    Notes
    -----
    It takes time proportional to the number of stored values or runs, `most` at most.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.eye(1000)
    >>> sa.spy(a).get_title()  # doctest: +SKIP
    'dia, leaf Uniform (1000, 1000): 1,000 stored'
    """
    array = as_array(a)
    if not array.ndim:
        raise ValueError("spy draws arrays with axes; print a scalar instead")
    if bins < 1 or (most is not None and most < 1):
        raise ValueError(f"bins and most must be at least 1, not {bins} and {most}")
    plot, colormap = _matplotlib()
    tensor = stored(array)
    style = structure_of(tensor)
    full = not any(level.kind.is_sparse for level in tensor.format.levels)
    cells = binned(tensor, bins, bins, most, chosen=values or (full and style != "rule"))
    if cells is None:
        raise FormatError(
            f"spy: format {name_of(tensor.format)} does not tell where its values are; convert it "
            "with .asformat first"
        )
    ax = plot.subplots()[1] if ax is None else ax
    # Thin matrices would be blank: the lightest shade is well seen.
    shade = np.where(cells.share > 0, 0.25 + 0.75 * np.sqrt(cells.share), 0)
    colours = colormap.from_list(style, ["#ffffff", COLOURS[style]])
    tall, wide = (1, *tensor.shape)[-2:]
    extent = (-0.5, wide - 0.5, tall - 0.5, -0.5)
    shown = {"interpolation": "nearest", "cmap": colours, "vmin": 0, "vmax": 1}
    aspect = "auto" if tensor.ndim == 1 or not 1 / 8 <= tall / max(wide, 1) <= 8 else "equal"
    if shade.size:
        ax.imshow(shade, extent=extent, aspect=aspect, **shown)
    if tensor.ndim == 1:
        ax.set_yticks([])
    head = f"{name_of(tensor.format)} {tensor.shape}: {tensor.nstored:,} stored"
    ax.set_title(f"{head} (some of them drawn)" if cells.sampled else head)
    ax.set_xlabel(STRUCTURES[style])
    return ax


def _matplotlib() -> tuple[Any, Any]:
    try:
        from matplotlib import pyplot
        from matplotlib.colors import LinearSegmentedColormap
    except ImportError as error:
        raise ImportError(
            "spy draws with Matplotlib, which is missing: pip install structarr[plot]"
        ) from error
    return pyplot, LinearSegmentedColormap
