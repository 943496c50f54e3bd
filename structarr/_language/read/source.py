"""The user's text as Python's syntax tree, with places that point into the user's text."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from structarr._language.read.messages import error, followed
from structarr._language.read.syntax import Place, Program
from structarr._support.syntax_trees import module
from structarr.errors import ProgramError

_UNREADABLE = re.compile("[\0\ud800-\udfff]")
# Precedes indented text, which Python then reads; a dedent would change columns and docstrings.
_MARGIN = "if True:\n"


class Source:
    """A program's text, read by Python.

    Attributes
    ----------
    program : Program
        The program as far as messages need it: its text, and where this stands.
    body : list of ast.stmt
        The statements at the text's outermost level.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        unreadable = _UNREADABLE.search(program.text)
        if unreadable:
            at = _place_of(program.text, unreadable.start(), program.first)
            raise error("Python cannot read this character", at, program)
        margin = _MARGIN if _is_indented(program.text) else ""
        text, self._updates = _without_named_updates(margin + program.text)
        self._lines = text.split("\n")
        self._first = program.first - margin.count("\n")  # the file's line of our first one
        with followed(program):
            module = self._parsed(text)
        self.body = self._inside(module) if margin else module.body

    def place(self, node: ast.AST) -> Place:
        """The place of a node; of one that spans lines, the part on its first."""
        assert isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword))
        line = self._lines[node.lineno - 1]
        end = len(line.rstrip())
        if node.end_lineno == node.lineno:
            end = _characters(line, node.end_col_offset or 0)
        return Place(node.lineno + self._first - 1, _characters(line, node.col_offset), end)

    def error(self, message: str, node: ast.AST) -> ProgramError:
        """Return the error that says `message` and shows where the node stands."""
        return error(message, self.place(node), self.program)

    def named_update(self, node: ast.Assign) -> str | None:
        """Return the operator of `target <<operator>>= value`, None for a plain assignment."""
        target, value = self.place(node.targets[0]), self.place(node.value)
        start, stop = (target.line, target.column), (value.line, value.column)
        for (line, column), name in self._updates.items():
            if start < (line + self._first - 1, column) < stop:
                return name
        return None

    def _parsed(self, text: str) -> ast.Module:
        try:
            return module(text)
        except SyntaxError as problem:
            raise self._syntax_error(problem) from None
        except MemoryError:  # Python's own reader has gone as deep as it goes
            raise RecursionError from None

    def _syntax_error(self, problem: SyntaxError) -> ProgramError:
        number = min(max(problem.lineno or 1, 1), len(self._lines))
        line = self._lines[number - 1]
        start = min(max((problem.offset or 1) - 1, 0), len(line))
        end = start + 1
        if problem.end_lineno == problem.lineno and problem.end_offset:
            end = max(end, problem.end_offset - 1)
        number = max(number + self._first - 1, self.program.first)
        message = re.sub(r"(?<=on line )\d+", self._renumbered, problem.msg)
        return error(
            f"invalid syntax for Python: {message}", Place(number, start, end), self.program
        )

    def _renumbered(self, number: re.Match[str]) -> str:
        return str(int(number[0]) + self._first - 1)

    def _inside(self, module: ast.Module) -> list[ast.stmt]:
        outer = module.body[0]
        assert isinstance(outer, ast.If)
        for stray in (*outer.orelse, *module.body[1:]):
            raise self.error("this is indented less than the first statement", stray)
        return outer.body


def _is_indented(text: str) -> bool:
    """Whether the first line that says anything starts with a space or a tab."""
    for line in text.split("\n"):
        if line.strip() and not line.strip().startswith("#"):
            return line[0] in " \t\f"
    return False


def _characters(line: str, offset: int) -> int:
    """Python counts columns in bytes of UTF-8."""
    return len(line.encode()[:offset].decode(errors="ignore"))


def _place_of(text: str, position: int, first: int) -> Place:
    before = text[:position].split("\n")
    return Place(len(before) - 1 + first, len(before[-1]), len(before[-1]) + 1)


Updates = dict[tuple[int, int], str]  # operators by line and column of the `=` written for them


def _without_named_updates(text: str) -> tuple[str, Updates]:
    """Write `=` for each `<<operator>>=`, in as many characters."""
    lines, updates = text.split("\n"), Updates()
    tokens = list(_tokens(text))
    for last, token in enumerate(tokens):
        first = _start_of_update(tokens, last)
        if first is None:
            continue
        for blank in tokens[first : last + 1]:
            line, column = blank.start
            gone = " " * len(blank.string)
            lines[line - 1] = lines[line - 1][:column] + gone + lines[line - 1][blank.end[1] :]
        line, column = token.end[0], token.end[1] - 1
        lines[line - 1] = f"{lines[line - 1][:column]}={lines[line - 1][column + 1 :]}"
        updates[line, column] = tokens[last - 1].string
    return "\n".join(lines), updates


def _start_of_update(tokens: list[tokenize.TokenInfo], last: int) -> int | None:
    """Return where `<< name >>=` begins that ends at `last`; the name may be dotted."""
    if tokens[last].string != ">>=":
        return None
    name = last - 1
    while name > 1 and tokens[name].type == tokenize.NAME and tokens[name - 1].string == ".":
        name -= 2
    is_update = name > 0 and tokens[name].type == tokenize.NAME and tokens[name - 1].string == "<<"
    return name - 1 if is_update else None


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens up to the first that is none: it is for the parser to say what is wrong there."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return
