"""The lines of a function in LLVM's language, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

FAILED = "failed"
"""The block by which a function ends after an error."""

ROLLED = '"llvm.loop.unroll.disable"'
SCALAR = '"llvm.loop.vectorize.enable", i1 false'
HINTS = (ROLLED, SCALAR)
"""What LLVM may be told of a loop."""


class Writer:
    """
    The body of a function, which is written where it is now.

    Attributes
    ----------
    block : str
        The label of the block that lines are added to.
    declared : dict
        The declarations of what lies outside, by name; functions of one module share them.
    owned : list of str
        The places of addresses of memory that the function frees when it ends.
    """

    def __init__(self, declared: dict[str, str]) -> None:
        self.declared = declared
        self.block = "entry"
        self._blocks: dict[str, list[str]] = {"entry": []}
        self._first: list[str] = []
        self._numbers = count()
        self._ended: set[str] = set()
        self.owned: list[str] = []

    def label(self, hint: str) -> str:
        """The label of a block that is to come."""
        return f"{hint}.{next(self._numbers)}"

    def open(self, label: str) -> None:
        """Begin a block, or go on with one."""
        self.block = label
        self._blocks.setdefault(label, [])

    @property
    def is_open(self) -> bool:
        """Whether the block has no end yet."""
        return self.block not in self._ended

    def line(self, text: str) -> None:
        """Add a line; what follows the end of a block is never reached."""
        if self.is_open:
            self._blocks[self.block].append(text)

    def end(self, text: str) -> None:
        """Add a block's last line."""
        self.line(text)
        self._ended.add(self.block)

    def set(self, text: str) -> str:
        """Add an instruction, and return the register of its value."""
        name = f"%v{next(self._numbers)}"
        self.line(f"{name} = {text}")
        return name

    def room(self, kind: str) -> str:
        """The address of room on the stack, made once for a call of the function."""
        name = f"%r{next(self._numbers)}"
        self._first.append(f"{name} = alloca {kind}")
        return name

    def first(self, text: str) -> None:
        """Add a line before all others, after the room on the stack is made."""
        self._first.append(text)

    def goto(self, label: str) -> None:
        """End a block by another."""
        self.end(f"br label %{label}")

    def again(self, label: str, hints: Sequence[str]) -> None:
        """End a block by the head of its loop, of which LLVM is told some of `HINTS`."""
        mark = ""
        if hints:
            number = len(self.declared) + 1 + len(HINTS)
            told = ", ".join([f"!{number}", *[f"!{1 + HINTS.index(one)}" for one in hints]])
            self.declared[f"!{number}"] = f"!{number} = distinct !{{{told}}}"
            mark = f", !llvm.loop !{number}"
        self.end(f"br label %{label}{mark}")

    def fork(self, cond: str, yes: str, no: str) -> None:
        """End a block by one of two others."""
        self.end(f"br i1 {cond}, label %{yes}, label %{no}")

    def leave_if(self, cond: str, label: str) -> None:
        """Go to a block under a condition that seldom holds, and on in a new one."""
        onward = self.label("onward")
        self.end(f"br i1 {cond}, label %{label}, label %{onward}, !prof !0")
        self.open(onward)

    def declare(self, name: str, result: str, args: Iterable[str]) -> None:
        """Make known a function that lies outside."""
        self.declared.setdefault(name, f"declare {result} @{name}({', '.join(args)})")

    def declare_variable(self, name: str, kind: str) -> None:
        """Make known a variable that lies outside."""
        self.declared.setdefault(name, f"@{name} = external global {kind}")

    def call(self, name: str, result: str, *args: str, flags: str = "") -> str:
        """Call a function that lies outside; arguments come with their types."""
        self.declare(name, result, [one.rpartition(" ")[0] for one in args])
        text = f"call {flags}{result} @{name}({', '.join(args)})"
        if result == "void":
            self.line(text)
            return ""
        return self.set(text)

    def fail_if(self, cond: str) -> None:
        """End the function under a condition that seldom holds; an error has been set."""
        self.leave_if(cond, FAILED)

    def fail(self) -> None:
        """End the function, as an error has been set; what follows is never reached."""
        self.goto(FAILED)
        self.open(self.label("beyond"))

    def text(self) -> str:
        """All blocks, those of no end being never reached."""
        parts: list[str] = []
        for label, lines in self._blocks.items():
            own = [*self._first, *lines] if label == "entry" else lines
            end = [] if label in self._ended else ["unreachable"]
            parts += [f"{label}:", *[f"  {line}" for line in (*own, *end)]]
        return "\n".join(parts)
