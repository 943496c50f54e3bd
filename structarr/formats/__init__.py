"""Formats: the levels that trees are made of, one file each, and the usual names of trees.

Examples
--------
>>> from structarr import formats
>>> tree = formats.Dense(formats.SparseList())  # a leaf may be left out
>>> print(formats.Layout(formats.parse(tree, ndim=2)))
csr
"""

from structarr.formats.base import Format as Format
from structarr.formats.base import Level as Level
from structarr.formats.bitmap import Bitmap as Bitmap
from structarr.formats.dense import Dense as Dense
from structarr.formats.element import Element as Element
from structarr.formats.names import Layout as Layout
from structarr.formats.names import name_of as name_of
from structarr.formats.names import parse as parse
from structarr.formats.run_list import RunList as RunList
from structarr.formats.sparse_band import SparseBand as SparseBand
from structarr.formats.sparse_list import SparseList as SparseList

# A level imports no other, not even the leaf that lies below it unless the user says otherwise.
for _level in (Bitmap, Dense, RunList, SparseBand, SparseList):
    _level._defaults["child"] = Element()
