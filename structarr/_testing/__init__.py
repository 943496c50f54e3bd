"""The parts of `structarr.testing`."""
