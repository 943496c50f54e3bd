"""The looplets, one file each: what it is, how it is truncated, how it is lowered."""
