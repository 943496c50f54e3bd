"""structarr with every array that is made of dense data stored in the fewest bytes."""

from stored import namespace

globals().update(namespace("auto"))
