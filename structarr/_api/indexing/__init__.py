"""Subscripts: their keys, gathering, selecting and assigning."""
