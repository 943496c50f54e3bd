"""The compiler: expressions to looplets to kernels."""
