"""The target of kernels: the text of their functions, runtime helpers, the build."""
