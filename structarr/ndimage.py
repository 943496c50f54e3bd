"""Filters of images of any number of axes, as `scipy.ndimage` has them."""

from structarr._api.signal.filters import convolve as convolve, correlate as correlate
from structarr._api.images.morphology import (
    binary_closing as binary_closing,
    binary_dilation as binary_dilation,
    binary_erosion as binary_erosion,
    binary_opening as binary_opening,
)
from structarr._api.images.components import label as label
from structarr._api.images.cleaning import (
    binary_fill_holes as binary_fill_holes,
    remove_small_objects as remove_small_objects,
)
from structarr._api.images.compact import map_labels as map_labels, relabel as relabel
from structarr._api.images.boundaries import find_boundaries as find_boundaries
from structarr._api.images.overlaps import contingency_table as contingency_table
from structarr._api.images.regions import regions as regions
from structarr._api.images.distances import distance_transform_cdt as distance_transform_cdt
from structarr._api.images.skew import deskew as deskew, skew_angle as skew_angle
from structarr._api.images.pages import read_tiff as read_tiff, write_tiff as write_tiff
