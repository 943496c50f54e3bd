"""structarr with every array that is made of dense data stored as lists."""

from stored import namespace

globals().update(namespace("list"))
