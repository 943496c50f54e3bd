"""
Documents whose examples run, and which show what comes of them.

The ``python`` blocks of a document run from its top to its end, in one module. A block below a
comment such as ``<!-- shown: product.kernel -->`` is the text of that expression there; one below
``<!-- needs: pandas -->`` runs only where such packages are there. In the root of the
repository ``python -m structarr._testing.documents docs/tutorials`` runs the documents of a folder,
or the files that are named, and writes blocks that are shown anew. With ``--check`` first it writes
nothing, and fails where a block would be another.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Container, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

AGAIN: Final = "python -m structarr._testing.documents"

_BLOCK: Final = re.compile(
    r"(?:^<!-- needs: (?P<needs>\w+) -->\n)?^```python\n(?P<code>.*?)^```$"
    r"|^<!-- shown: (?P<shown>[^\n]+) -->\n(?P<fence>```\w*\n)(?P<text>.*?)^```$",
    flags=re.MULTILINE | re.DOTALL,
)
_ITEM: Final = re.compile(r"^- (`[^`\n]+`(?:(?:, | and |,\n  )`[^`\n]+`)*)", flags=re.MULTILINE)


def needed(text: str) -> set[str]:
    """
    Return the packages that examples of a document need, beside those of this one.

    Examples
    --------
    >>> needed("<!-- needs: pandas -->\\n```python\\nimport pandas\\n```\\n")
    {'pandas'}
    """
    return {block["needs"] for block in _BLOCK.finditer(text) if block["needs"]}


def installed(text: str) -> set[str]:
    """Return those of the packages that examples need which are there."""
    return {package for package in needed(text) if find_spec(package) is not None}


def has_examples(text: str) -> bool:
    """Whether a document has an example that runs without other packages."""
    return any(block["code"] and not block["needs"] for block in _BLOCK.finditer(text))


def renewed(text: str, name: str, module: ModuleType, has: Container[str] = ()) -> str:
    """
    Run the examples of a document in a module, and return it with the blocks that it shows now.

    Examples that need a package which is not among `has` are left out.

    Raises
    ------
    ValueError
        If there is no example.
    """
    parts: list[str] = []
    done = 0
    for block in _BLOCK.finditer(text):
        if block["needs"] and block["needs"] not in has:
            continue
        if block["code"] is not None:
            above = "\n" * text.count("\n", 0, block.start("code"))  # kernels read their own lines
            exec(compile(above + block["code"], name, "exec"), vars(module))
        else:
            found = eval(block["shown"], {"changes": changes, "part": part, **vars(module)})
            lines = [line.rstrip() for line in str(found).strip("\n").split("\n")]
            parts += [text[done : block.start("text")], "\n".join(lines), "\n"]
            done = block.end("text")
    if not vars(module).keys() - vars(ModuleType("")).keys():
        raise ValueError(f"{name} has no example that runs")
    return "".join([*parts, text[done:]])


def unexplained(text: str) -> list[str]:
    """
    Return what a document explains though it does not show it.

    Below a block that is shown, up to the next heading, an item of a list that begins with code
    explains that code, which must be in the block.

    Examples
    --------
    >>> page = "<!-- shown: k -->\\n```py\\na += 1\\n```\\n"
    >>> unexplained(page + "- `a += 1`: one more\\n- `b`, which is not there")
    ['b']
    >>> unexplained("- `b`, which is explained where nothing is shown")
    []
    """
    found = []
    blocks = [block for block in _BLOCK.finditer(text) if block["shown"]]
    ends = [block.start() for block in blocks[1:]] + [len(text)] * bool(blocks)
    for block, end in zip(blocks, ends, strict=True):
        below = text[block.end() : end].split("\n#")[0]
        for item in _ITEM.finditer(below):
            found += [code for code in re.findall(r"`(.+?)`", item[1]) if code not in block["text"]]
    return found


def changes(before: str, after: str) -> str:
    """
    Return the lines in which two kernels differ, each with its neighbours.

    Examples
    --------
    >>> print(changes("a\\nb\\nc\\nd\\n", "a\\nb\\nx\\nd\\n"))
     b
    -c
    +x
     d
    """
    first, second = before.splitlines()[1:], after.splitlines()[1:]
    lines = list(difflib.unified_diff(first, second, lineterm="", n=1))[2:]
    return "\n".join(" ..." if line[:2] == "@@" else line for line in lines[1:])


def part(kernel: str, start: str) -> str:
    """
    Return the first line of a kernel that begins so, with what is indented below it.

    Examples
    --------
    >>> print(part("def k():\\n    for i in p:\\n        a = i\\n    return a", "for"))
    for i in p:
        a = i
    """
    lines = kernel.splitlines()
    at = next(k for k, line in enumerate(lines) if line.lstrip().startswith(start))
    depth = _indent(lines[at])
    below = range(at + 1, len(lines))
    stop = next((k for k in below if _indent(lines[k]) <= depth), len(lines))
    return "\n".join(line[depth:] for line in lines[at:stop])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _documents(names: list[str]) -> Iterator[Path]:
    for name in names:
        path = Path(name)
        yield from sorted(path.glob("*.md")) if path.is_dir() else [path]


def main(arguments: list[str]) -> int:
    """Run the documents of some files and folders; return how many are not as they should be."""
    check = arguments[:1] == ["--check"]
    other = 0
    for path in _documents(arguments[check:]):
        text = path.read_text(encoding="utf-8")
        if not has_examples(text):
            continue
        module = sys.modules["documented"] = ModuleType("documented")
        again = renewed(text, str(path.resolve()), module, installed(text))
        other += again != text
        if not check:
            path.write_text(again, encoding="utf-8")
        print(f"{path}: {'as it was' if again == text else 'another' if check else 'written anew'}")
        for code in unexplained(again):
            print(f"  it explains `{code}`, which it does not show")
    return other if check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
