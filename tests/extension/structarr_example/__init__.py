"""A format from outside structarr: `SparseStride`, whose name is "stride"."""

from structarr import formats
from structarr_example.sparse_stride import SparseStride as SparseStride

formats.register("stride", SparseStride)
