"""The checks behind `structarr.testing.check_looplet`."""
