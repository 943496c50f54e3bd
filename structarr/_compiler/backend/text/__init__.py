"""The texts of kernels as they are translated: their functions, variables, and types of values."""
