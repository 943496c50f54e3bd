"""The public functions by family; each publishes NumPy's twin at the same place."""
