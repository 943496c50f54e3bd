"""Tensors, and work on them without kernels: conversions, statistics, display."""
