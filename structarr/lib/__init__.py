"""What `numpy.lib` has of functions of arrays."""

from structarr.lib import stride_tricks as stride_tricks
