"""Support of all layers: dtypes, memory, locks and caches."""
