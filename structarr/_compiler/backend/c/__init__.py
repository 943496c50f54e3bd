"""Kernels as C: each one function of the C99 standard, which needs nothing else."""
