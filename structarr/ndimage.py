"""Filters of images of any number of axes, as `scipy.ndimage` has them."""

from structarr._api.signal.filters import convolve as convolve, correlate as correlate
