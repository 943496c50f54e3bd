"""Public functions that make arrays: from data, ranges, constants, files and frames."""
