"""structarr with every array that is made of dense data stored as runs."""

from stored import namespace

globals().update(namespace("rle"))
