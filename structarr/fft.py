"""Discrete Fourier transforms: the array API's extension, and the rest of `numpy.fft`."""

from structarr._api.fourier import fft, hfft, ifft, ihfft, irfft, rfft
from structarr._api.fourier_axes import fft2, fftn, ifft2, ifftn, irfft2, irfftn, rfft2, rfftn
from structarr._api.frequencies import fftfreq, fftshift, ifftshift, rfftfreq

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
