"""Helpers of all families of public functions: operands, publishing, dense fallbacks."""
