"""Fourier transforms, convolutions and filters."""
