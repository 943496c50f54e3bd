"""The checks behind `structarr.testing.check_rules`."""
