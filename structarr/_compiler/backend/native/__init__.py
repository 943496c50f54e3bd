"""Machine code that was compiled before, loaded from the disk by LLVM alone."""
