"""Passes from kernel IR to kernel IR."""
