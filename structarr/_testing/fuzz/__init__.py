"""Random programs against NumPy: generators, comparison, shrinking, and the driver."""
