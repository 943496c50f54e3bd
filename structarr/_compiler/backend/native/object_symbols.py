"""Object files: the symbols that one refers to and does not have.

Of the three formats, LLVM loads ELF and Mach-O. On Windows too it makes ELF for code that it loads
itself, as it has no full loader of COFF.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import iter_unpack, unpack_from
from typing import Final

ELF, MACH_O = b"\x7fELF\x02\x01", b"\xcf\xfa\xed\xfe"
"""How files begin, of 64 bits and with the lowest byte first."""

SECTION: Final = 64  # bytes of a section's header in ELF
SECTION_OF_SYMBOLS: Final = 2

HEADER: Final = 32  # bytes before the commands of Mach-O
COMMAND_OF_SYMBOLS: Final = 2
DEBUGS, KIND, IS_EXTERNAL = 0xE0, 0x0E, 0x01
"""The bits of a symbol's type in Mach-O; a kind of 0 stands for one that is defined elsewhere."""


def undefined(code: bytes) -> tuple[str, ...] | None:
    """
    The names of the symbols that an object file lacks, as C has them; None if it is not loaded.

    Parameters
    ----------
    code : bytes
        An object file of 64 bits whose lowest bytes come first.
    """
    if code.startswith(ELF):
        return tuple(dict.fromkeys(_of_elf(code)))
    if code.startswith(MACH_O):
        return tuple(dict.fromkeys(_of_mach_o(code)))
    return None


def _of_elf(code: bytes) -> Iterator[str]:
    (start,) = unpack_from("<Q", code, 40)
    (count,) = unpack_from("<H", code, 60)
    for section in range(start, start + count * SECTION, SECTION):
        _, kind, _, _, offset, size, link = unpack_from("<IIQQQQI", code, section)
        if kind != SECTION_OF_SYMBOLS:
            continue
        (names,) = unpack_from("<Q", code, start + link * SECTION + 24)
        symbols = iter_unpack("<IBBHQQ", code[offset : offset + size])
        for name, _, _, own_section, _, _ in symbols:
            if name and own_section == 0:
                yield _text(code, names + name)


def _of_mach_o(code: bytes) -> Iterator[str]:
    (count,) = unpack_from("<I", code, 16)
    place = HEADER
    for _ in range(count):
        command, size = unpack_from("<II", code, place)
        if command == COMMAND_OF_SYMBOLS:
            offset, symbols, names, _ = unpack_from("<IIII", code, place + 8)
            listed = iter_unpack("<IBBHQ", code[offset : offset + 16 * symbols])
            for name, kind, _, _, _ in listed:
                if kind & IS_EXTERNAL and not kind & (DEBUGS | KIND):
                    yield _text(code, names + name).removeprefix("_")
        place += size


def _text(code: bytes, start: int) -> str:
    return code[start : code.index(b"\0", start)].decode()
