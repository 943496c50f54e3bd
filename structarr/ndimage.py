"""Filters, morphology and measurements of images, as `scipy.ndimage` and scikit-image have them.

Morphology and measurements work on images, volumes and maps of labels whose last axis is stored as
runs, and take time for each run. An array in another format is converted first.
"""

import typing as _typing
from importlib import import_module as _import_module

from structarr._api.signal.filters import convolve as convolve, correlate as correlate

if _typing.TYPE_CHECKING:
    from structarr._api.images.boundaries import find_boundaries as find_boundaries
    from structarr._api.images.cleaning import (
        binary_fill_holes as binary_fill_holes,
        remove_small_objects as remove_small_objects,
    )
    from structarr._api.images.compact import map_labels as map_labels, relabel as relabel
    from structarr._api.images.components import label as label
    from structarr._api.images.distances import distance_transform_cdt as distance_transform_cdt
    from structarr._api.images.euclidean import distance_transform_edt as distance_transform_edt
    from structarr._api.images.measurements import (
        center_of_mass as center_of_mass,
        extrema as extrema,
        find_objects as find_objects,
        maximum as maximum,
        maximum_position as maximum_position,
        mean as mean,
        minimum as minimum,
        minimum_position as minimum_position,
        standard_deviation as standard_deviation,
        sum as sum,
        sum_labels as sum_labels,
        variance as variance,
    )
    from structarr._api.images.morphology import (
        binary_closing as binary_closing,
        binary_dilation as binary_dilation,
        binary_erosion as binary_erosion,
        binary_opening as binary_opening,
    )
    from structarr._api.images.overlaps import contingency_table as contingency_table
    from structarr._api.images.pages import read_tiff as read_tiff, write_tiff as write_tiff
    from structarr._api.images.propagation import binary_propagation as binary_propagation
    from structarr._api.images.regions import regions as regions
    from structarr._api.images.selections import (
        histogram as histogram,
        labeled_comprehension as labeled_comprehension,
        median as median,
        value_indices as value_indices,
    )
    from structarr._api.images.skew import deskew as deskew, skew_angle as skew_angle
    from structarr._api.images.structures import (
        generate_binary_structure as generate_binary_structure,
    )

_HOMES = {
    "binary_closing": "morphology",
    "binary_dilation": "morphology",
    "binary_erosion": "morphology",
    "binary_fill_holes": "cleaning",
    "binary_opening": "morphology",
    "binary_propagation": "propagation",
    "center_of_mass": "measurements",
    "contingency_table": "overlaps",
    "deskew": "skew",
    "distance_transform_cdt": "distances",
    "distance_transform_edt": "euclidean",
    "extrema": "measurements",
    "find_boundaries": "boundaries",
    "find_objects": "measurements",
    "generate_binary_structure": "structures",
    "histogram": "selections",
    "label": "components",
    "labeled_comprehension": "selections",
    "map_labels": "compact",
    "maximum": "measurements",
    "maximum_position": "measurements",
    "mean": "measurements",
    "median": "selections",
    "minimum": "measurements",
    "minimum_position": "measurements",
    "read_tiff": "pages",
    "regions": "regions",
    "relabel": "compact",
    "remove_small_objects": "cleaning",
    "skew_angle": "skew",
    "standard_deviation": "measurements",
    "sum": "measurements",
    "sum_labels": "measurements",
    "value_indices": "selections",
    "variance": "measurements",
    "write_tiff": "pages",
}
"""Where names are whose programs bring the language of loops along when they are asked for."""


if not _typing.TYPE_CHECKING:  # for type checkers, every name would be there

    def __getattr__(name: str) -> _typing.Any:
        if name not in _HOMES:
            raise AttributeError(f"module 'structarr.ndimage' has no attribute {name!r}")
        found = getattr(_import_module(f"structarr._api.images.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
