"""structarr with every array that is made of dense data stored as the format that takes the fewest bytes."""

from stored import namespace

globals().update(namespace("auto"))
