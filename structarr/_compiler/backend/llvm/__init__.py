"""Kernels as text of LLVM's language, of which Numba knows nothing."""
