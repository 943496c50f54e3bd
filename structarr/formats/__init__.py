"""Formats: the levels that trees are made of, one file each, and the usual names of trees.

Examples
--------
>>> from structarr import formats
>>> tree = formats.Dense(formats.SparseList())  # a leaf may be left out
>>> print(formats.Layout(formats.parse(tree, ndim=2)))
csr
"""

from structarr.formats.appending import (
    Appending as Appending,
    AppendingRegions as AppendingRegions,
    Covering as Covering,
)
from structarr.formats.base import Format as Format, Level as Level
from structarr.formats.bitmap import Bitmap as Bitmap
from structarr.formats.computed import Function as Function, Range as Range
from structarr.formats.constant import Constant as Constant
from structarr.formats.coordinate import Coordinate as Coordinate, Singleton as Singleton
from structarr.formats.dense import Dense as Dense
from structarr.formats.diagonals import Diagonals as Diagonals
from structarr.formats.element import Element as Element
from structarr.formats.hash import Hash as Hash
from structarr.formats.kind import (
    Children as Children,
    Kind as Kind,
    ModeStructure as ModeStructure,
    Repeat as Repeat,
    Support as Support,
)
from structarr.formats.names import (
    Layout as Layout,
    name_of as name_of,
    names_for as names_for,
    parse as parse,
    register as register,
)
from structarr.formats.one_bit import OneBit as OneBit
from structarr.formats.pack_bits import PackBits as PackBits
from structarr.formats.pattern import Pattern as Pattern, Uniform as Uniform
from structarr.formats.ragged import Ragged as Ragged
from structarr.formats.reading import (
    LeafReading as LeafReading,
    Located as Located,
    Reading as Reading,
)
from structarr.formats.run_list import RunList as RunList
from structarr.formats.sparse_band import SparseBand as SparseBand
from structarr.formats.sparse_interval import SparseInterval as SparseInterval
from structarr.formats.sparse_list import SparseList as SparseList
from structarr.formats.sparse_point import SparsePoint as SparsePoint
from structarr.formats.sparse_run_list import SparseRunList as SparseRunList
from structarr.formats.sparse_vbl import SparseVBL as SparseVBL
from structarr.formats.symmetric import Hermitian as Hermitian, Symmetric as Symmetric
from structarr.formats.tiles import Tiles as Tiles
from structarr.formats.triangular import Triangular as Triangular
from structarr.formats.two_bit import TwoBit as TwoBit
from structarr.formats.writing import (
    Alone as Alone,
    InPlace as InPlace,
    LeafWriting as LeafWriting,
    Placed as Placed,
    ReadOnly as ReadOnly,
    Writing as Writing,
)

# A level imports no other, not even the leaf that lies below it unless the user says otherwise.
Level._defaults["child"] = Element()
