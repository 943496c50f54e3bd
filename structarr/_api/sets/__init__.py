"""Sorting, sets, membership and counting."""
