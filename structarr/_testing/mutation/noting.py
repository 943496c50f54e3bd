"""The package with a note at each place that a mutant changes: which of them would differ.

A place is noted where it is reached and the mutant would go on otherwise: `a < b` where both are
equal, for `a <= b`; a condition where it does not hold, for one that always does. What a test does
not note it cannot find.

``python noting.py WORDS...`` makes a map (`mapping.py`). Nothing of the package may be imported
before, so this is run as a script.
"""

from __future__ import annotations

import ast
import builtins
import operator
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any, Final

REACHED: Final = "__structarr_reached__"
ORDERED: Final = "__structarr_ordered__"
ASKED: Final = "__structarr_asked__"

_SIGNS: Final[dict[type[ast.cmpop], str]] = {
    **{ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
}
_ORDERS: Final = {
    "lt": (operator.lt, operator.le),
    "le": (operator.le, operator.lt),
    "gt": (operator.gt, operator.ge),
    "ge": (operator.ge, operator.gt),
}

Changes = dict[int, list[int]]
"""The numbers of the mutants of each node, by the node's identity."""


class Notes:
    """
    What was noted in this process.

    Attributes
    ----------
    seen : bytearray
        One for each mutant of the files that were imported, that would have differed.
    starts : dict
        Where the mutants of a file begin, by its path below the package.
    """

    def __init__(self) -> None:
        self.seen = bytearray()
        self.starts: dict[str, int] = {}

    def publish(self) -> None:
        """Let code that takes notes find what it calls."""
        vars(builtins).update({REACHED: self.reached, ORDERED: self.ordered, ASKED: self.asked})

    def reached(self, place: int) -> None:
        """Note a place; it gives None, so that it may stand before an `or`."""
        self.seen[place] = 1

    def ordered(self, place: int, sign: str, left: Any, right: Any) -> Any:
        """Compare, and note where the mutant finds otherwise."""
        own, other = _ORDERS[sign]
        found = own(left, right)
        if not self.seen[place] and not _same(found, other, left, right):
            self.seen[place] = 1
        return found

    def asked(self, place: int, condition: object) -> bool:
        """Note at the first of two places what does not hold, and at the other one what does."""
        if condition:
            self.seen[place + 1] = 1
            return True
        self.seen[place] = 1
        return False


def _same(found: Any, other: Any, left: Any, right: Any) -> bool:
    try:
        return type(found) is bool and found is other(left, right)
    except Exception:
        return False


def noted(tree: ast.Module, changes: Changes, start: int) -> ast.Module:
    """A tree that takes notes of its changes, the first of which has a number."""
    found = _Noted(changes, start).visit(tree)
    assert isinstance(found, ast.Module)
    return ast.fix_missing_locations(found)


class _Noted(ast.NodeTransformer):
    def __init__(self, changes: Changes, start: int) -> None:
        self._changes, self._start = changes, start

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.pattern):
            return node  # no expression: its match is noted
        numbers = [self._start + one for one in self._changes[id(node)]]
        if isinstance(node, ast.Match):
            patterns = [one for case in node.cases for one in ast.walk(case.pattern)]
            numbers = [self._start + n for one in patterns for n in self._changes[id(one)]]
        node = self.generic_visit(node)
        return _noting(node, numbers) if numbers else node


def _noting(node: ast.AST, numbers: list[int]) -> ast.AST:
    match node:
        case ast.Compare(left, [sign], [right]) if type(sign) in _SIGNS:
            return _call(ORDERED, numbers[0], ast.Constant(_SIGNS[type(sign)]), left, right)
        case ast.If(test) | ast.IfExp(test) if len(numbers) == 2 and _only_asks(test):
            node.test = _call(ASKED, numbers[0], test)
        case ast.If(test) | ast.IfExp(test):
            node.test = _after_notes(numbers, test)
        case ast.Return(ast.expr() as value) | ast.Expr(value):
            node.value = _after_notes(numbers, value)
        case ast.Match(subject):
            node.subject = _after_notes(numbers, subject)
        case ast.expr():
            return _after_notes(numbers, node)
        case _:
            raise TypeError(f"no mutant changes a node like {ast.dump(node)}")
    return node


def _only_asks(test: ast.expr) -> bool:
    """Whether nothing else is lost where a condition is left out."""
    return not any(isinstance(one, ast.NamedExpr) for one in ast.walk(test))


def _after_notes(numbers: list[int], value: ast.expr) -> ast.expr:
    return ast.BoolOp(ast.Or(), [*(_call(REACHED, one) for one in numbers), value])


def _call(name: str, number: int, *args: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [ast.Constant(number), *args], [])


def main(words: list[str]) -> int:
    """Import the package with notes, and make a map."""
    sys.path.insert(0, str(Path(__file__).parent))
    mutants, within = import_module("mutants"), import_module("within")
    notes = Notes()
    notes.publish()
    rooms = {(mutants.ROOT / room).resolve() for room in mutants.ROOMS}

    def compiled(path: Path) -> CodeType | None:
        if path.parent not in rooms:
            return None
        tree = ast.parse(path.read_text(encoding="utf-8"))
        changes: Changes = defaultdict(list)
        nodes = mutants.changed(tree)
        for number, node in enumerate(nodes):
            changes[id(node)].append(number)
        start = len(notes.seen)
        notes.starts[path.relative_to(mutants.ROOT.resolve()).as_posix()] = start
        notes.seen.extend(bytes(len(nodes)))
        code: CodeType = compile(noted(tree, changes, start), str(path), "exec")
        return code

    within.install(compiled)
    sys.path.remove(str(Path(__file__).parent))
    status: int = import_module("structarr._testing.mutation.mapping").main(words, notes)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
