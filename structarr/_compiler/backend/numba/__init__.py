"""The compiled tier: Numba compiles the text of a kernel, and a cache on disk keeps the code."""
