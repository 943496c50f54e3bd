"""The package is imported as it is installed, not where it lies."""

collect_ignore = ["structarr_example"]
