"""Every format of the package proves itself as one from outside would."""

from __future__ import annotations

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr.errors import FormatError
from structarr.formats import Dense, Format, Function, Level, Pattern, Range, SparseList
from structarr.testing import check_format

NDIM = {"list": 1, "csf": 3}


@pytest.mark.parametrize("name", formats.names_for(2))
def test_named_formats(name: str) -> None:
    check_format(name, ndim=NDIM.get(name, 2))


@pytest.mark.parametrize(
    "tree",
    [
        formats.SparseVBL(formats.SparseList()),
        formats.Bitmap(formats.RunList()),
        formats.SparseBand(formats.SparseVBL()),
        Format(formats.SparseList(formats.Dense()), (1, 0), "int32"),
    ],
    ids=repr,
)
def test_trees(tree: Level | Format) -> None:
    check_format(tree)
