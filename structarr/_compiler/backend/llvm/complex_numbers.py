"""Complex numbers in LLVM's language: structures of two floats, which it takes apart again."""

from __future__ import annotations

from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.kinds import Kind, Number


def parts(writer: Writer, value: Number) -> tuple[Number, Number]:
    """The real and the imaginary part of a number; one that is real has a zero of its type."""
    own = value.kind.part
    if not value.kind.is_complex:
        return value, Number(own, "0" if own.is_whole else "0.0")
    whole = f"extractvalue {value.kind.text} {value.text}"
    real, imag = (Number(own, writer.set(f"{whole}, {place}")) for place in (0, 1))
    return real, imag


def paired(writer: Writer, kind: Kind, real: Number, imag: Number) -> Number:
    """The complex number of a type with two parts of the type of its parts."""
    part = kind.part.text
    half = writer.set(f"insertvalue {kind.text} undef, {part} {real.text}, 0")
    return Number(kind, writer.set(f"insertvalue {kind.text} {half}, {part} {imag.text}, 1"))
