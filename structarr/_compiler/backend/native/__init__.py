"""Machine code, made and loaded by LLVM alone, and kept on disk."""
