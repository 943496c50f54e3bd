"""What structarr can be given from outside, by its public modules alone.

A format, `SparseStride`, whose name is "stride"; a looplet, and the protocol that reads the format
by it; a format of a kind of its own, `Every`, named "every"; operators and their semiring; rules,
of which one is a pass over the program.
"""

from structarr import formats
from structarr_example.comb import Comb as Comb
from structarr_example.every import Every as Every
from structarr_example.fuzzy import both as both, either as either, fuzzy as fuzzy
from structarr_example.sparse_stride import SparseStride as SparseStride
from structarr_example.sums import rules as rules

formats.register("stride", SparseStride)
formats.register("every", Every)
