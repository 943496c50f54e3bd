"""Discrete Fourier transforms: the array API's extension, and the rest of `numpy.fft`."""

from structarr._api.signal.fft_frequencies import fftfreq, fftshift, ifftshift, rfftfreq
from structarr._api.signal.fourier import fft, hfft, ifft, ihfft, irfft, rfft
from structarr._api.signal.fourier_axes import (
    fft2,
    fftn,
    ifft2,
    ifftn,
    irfft2,
    irfftn,
    rfft2,
    rfftn,
)

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]
