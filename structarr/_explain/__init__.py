"""Explanations: what was planned and why, as text and as data."""
