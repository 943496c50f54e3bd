"""Reading kernels: the loop in which the time goes."""

from __future__ import annotations

from textwrap import dedent


def main_loop(source: str) -> list[str]:
    """
    Return the lines of the longest innermost loop.

    Examples
    --------
    >>> main_loop("def k(n):\\n    for i in range(n):\\n        while i:\\n            i -= 1\\n")
    ['while i:', '    i -= 1']
    """
    lines = source.splitlines()
    loops = [_block(lines, start) for start, line in enumerate(lines) if _is_loop(line)]
    innermost = [block for block in loops if not any(map(_is_loop, block[1:]))]
    longest = max(innermost, key=len, default=lines)
    return dedent("\n".join(longest)).splitlines()


def _is_loop(line: str) -> bool:
    return line.lstrip().startswith(("for ", "while "))


def _block(lines: list[str], start: int) -> list[str]:
    """Return a statement with what is indented below it."""
    depth = _indent(lines[start])
    stop = start + 1
    while stop < len(lines) and lines[stop].strip() and _indent(lines[stop]) > depth:
        stop += 1
    return lines[start:stop]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
