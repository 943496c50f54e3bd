"""Random programs of loops: strings for `sa.loops`, functions for `sa.kernel`, and semirings."""
