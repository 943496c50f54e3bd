"""Object files: the symbols that one refers to and does not have."""

from __future__ import annotations

from struct import iter_unpack, unpack_from

SECTION = 64  # bytes of a section's header
SYMBOL_TABLE = 2


def undefined(code: bytes) -> tuple[str, ...] | None:
    """
    The names of the symbols that an object file lacks; None if it is of no kind known here.

    Parameters
    ----------
    code : bytes
        An object file, of which those of ELF with 64 bits and the lowest byte first are known.
    """
    if code[:6] != b"\x7fELF\x02\x01":
        return None
    (start,) = unpack_from("<Q", code, 40)
    _, count, _ = unpack_from("<HHH", code, 58)
    found: dict[str, None] = {}
    for section in range(start, start + count * SECTION, SECTION):
        _, kind, _, _, offset, size, link = unpack_from("<IIQQQQI", code, section)
        if kind != SYMBOL_TABLE:
            continue
        (names,) = unpack_from("<Q", code, start + link * SECTION + 24)
        symbols = iter_unpack("<IBBHQQ", code[offset : offset + size])
        for name, _, _, own_section, _, _ in symbols:
            if name and own_section == 0:
                end = code.index(b"\0", names + name)
                found[code[names + name : end].decode()] = None
    return tuple(found)
