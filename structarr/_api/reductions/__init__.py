"""Public functions that reduce or scan axes: sums, averages, order statistics."""
