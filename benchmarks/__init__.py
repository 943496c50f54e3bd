"""Measurements against every peer that is installed: ``python -m benchmarks NAME``."""
