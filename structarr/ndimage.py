"""Filters, morphology and measurements of images, as `scipy.ndimage` and scikit-image have them.

Morphology and measurements work on images, volumes and maps of labels whose last axis is stored as
runs, and take time for each run. An array in another format is converted first.
"""

import typing as _typing

from structarr._api.signal.filters import convolve as convolve, correlate as correlate
from structarr._support.on_demand import homes as _homes, on_demand as _on_demand

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

_PLACES = _homes(
    "structarr._api.images",
    {
        "boundaries": "find_boundaries",
        "cleaning": "binary_fill_holes remove_small_objects",
        "compact": "map_labels relabel",
        "components": "label",
        "distances": "distance_transform_cdt",
        "euclidean": "distance_transform_edt",
        "measurements": (
            "center_of_mass extrema find_objects maximum maximum_position mean minimum "
            "minimum_position standard_deviation sum sum_labels variance"
        ),
        "morphology": "binary_closing binary_dilation binary_erosion binary_opening",
        "overlaps": "contingency_table",
        "pages": "read_tiff write_tiff",
        "propagation": "binary_propagation",
        "regions": "regions",
        "selections": "histogram labeled_comprehension median value_indices",
        "skew": "deskew skew_angle",
        "structures": "generate_binary_structure",
    },
)
"""Where names are whose programs bring the language of loops along when they are asked for."""


if not _typing.TYPE_CHECKING:  # for type checkers, every name would be there
    __getattr__, __dir__ = _on_demand(__name__, _PLACES)
