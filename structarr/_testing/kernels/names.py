"""Records up to a consistent renaming of the variables in them.

Kernels are Python, and renamed as such: in each function by the order of appearance in its body,
since parameters and results may be listed by name. Programs are renamed word by word.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final, TypeAlias

from structarr._support import syntax_trees

Part: TypeAlias = tuple[str, str]
Names: TypeAlias = dict[str, str]

_WORD: Final = re.compile(r"(?<!\w)[A-Za-z_]\w*(?!\w|\()")  # but no function that is called
_KEPT: Final = ("for", "in", "sieve", "where", "if", "else", "while", "pass", "and", "or", "not")


def canonical(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a record with variables named by their order of appearance."""
    found: list[Part] = []
    names: Names = {}
    for title, text in parts:
        if title == "kernel":
            text, names = canonical_kernel(text)
        elif title == "call":
            text = _called(text, names)
        elif title == "program":
            text = _by_words(text)
        found.append((title, text))
    return tuple(found)


def canonical_kernel(text: str) -> tuple[str, Names]:
    """
    A kernel with its variables renamed, and the new names of the first function's.

    Examples
    --------
    >>> one = "def kernel(a, n):\\n    for i in range(n):\\n        a[i] = 0\\n"
    >>> other = "def kernel(m, x):\\n    for k in range(m):\\n        x[k] = 0\\n"
    >>> canonical_kernel(one)[0] == canonical_kernel(other)[0]
    True
    >>> canonical_kernel(one)[1]
    {'i': 'v0', 'n': 'v1', 'a': 'v2'}
    """
    try:
        tree = syntax_trees.module(text)
    except SyntaxError:
        return text, {}
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    kernel = _Functions(functions)
    renamings = {name: kernel.renamed(name) for name in functions}
    return ast.unparse(tree), next(iter(renamings.values()), {})


class _Functions:
    """The functions of one text; each is renamed before those that call it."""

    def __init__(self, functions: dict[str, ast.FunctionDef]) -> None:
        self.functions = functions
        self._names: dict[str, Names] = {}
        self._orders: dict[str, tuple[list[int], list[int]]] = {}  # of parameters, of results

    def renamed(self, name: str) -> Names:
        """The new names of a function's variables."""
        if name in self._names:
            return self._names[name]
        function = self.functions[name]
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and _name(node.func) in self.functions:
                self.renamed(_name(node.func))
        for node in ast.walk(function):
            self._reorder_call(node)
        names = self._names[name] = _in_order(function)
        self._orders[name] = _reorder(function, names)
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                node.id = names.get(node.id, node.id)
            elif isinstance(node, ast.arg):
                node.arg = names[node.arg]
        return names

    def _reorder_call(self, node: ast.AST) -> None:
        """Arguments, and what is assigned, in the new order of a function that is called."""
        if isinstance(node, ast.Call) and _name(node.func) in self._orders:
            order, _ = self._orders[_name(node.func)]
            node.args = [node.args[k] for k in order]
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            target = node.targets[0]
            _, order = self._orders.get(_name(node.value.func), ([], []))
            if isinstance(target, ast.Tuple) and order:
                target.elts = [target.elts[k] for k in order]


def _in_order(function: ast.FunctionDef) -> Names:
    """New names for a function's variables: what it sets, and its parameters."""
    own = {arg.arg for arg in function.args.args}
    own |= {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    met = [node.id for line in function.body for node in _depth_first(line) if node.id in own]
    return {name: f"v{k}" for k, name in enumerate(dict.fromkeys(met + sorted(own)))}


def _reorder(function: ast.FunctionDef, names: Names) -> tuple[list[int], list[int]]:
    """The orders in which parameters and results come by their new names."""
    args = function.args.args
    order = sorted(range(len(args)), key=lambda k: int(names[args[k].arg][1:]))
    function.args.args = [args[k] for k in order]
    last = function.body[-1]
    if not (isinstance(last, ast.Return) and isinstance(last.value, ast.Tuple)):
        return order, []
    elements = last.value.elts
    if function.name == "kernel" or not all(isinstance(one, ast.Name) for one in elements):
        return order, []  # the results of a kernel have an order of their own
    results = sorted(range(len(elements)), key=lambda k: int(names[_name(elements[k])][1:]))
    last.value.elts = [elements[k] for k in results]
    return order, results


def _depth_first(node: ast.AST) -> Iterator[ast.Name]:
    """The names of a piece of text, nearly in its order."""
    if isinstance(node, ast.Name):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _depth_first(child)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _called(text: str, names: Names) -> str:
    """The text of a call with new names, what it takes in their order."""
    taken, others = [], []
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        old, _, kind = rest.partition(":")
        if word == "takes":
            taken.append(f"takes {names.get(old, old)}:{kind}")
        else:
            others.append(line)
    return "\n".join(sorted(taken, key=lambda line: (len(line.split(":")[0]), line)) + others)


def _by_words(text: str) -> str:
    names: Names = {}

    def new(found: re.Match[str]) -> str:
        word = found[0]
        return word if word in _KEPT else names.setdefault(word, f"v{len(names)}")

    return _WORD.sub(new, text)


def alike(old: str, new: str) -> str:
    """
    A text with the names of another, as far as lines that differ in names alone agree.

    Examples
    --------
    >>> alike("for i in a:\\n    s += i\\n    t = i", "for k in a:\\n    s += k\\n    u = k + 1")
    'for k in a:\\n    s += k\\n    t = k'
    """
    before, after = old.splitlines(), new.splitlines()
    matcher = SequenceMatcher(None, [*map(_bare, before)], [*map(_bare, after)], autojunk=False)
    votes: Counter[tuple[str, str]] = Counter()
    for block in matcher.get_matching_blocks():
        for k in range(block.size):
            lines = before[block.a + k], after[block.b + k]
            if not lines[0].startswith(("def ", "takes ")):  # in the order of their names
                votes.update(zip(*map(_WORD.findall, lines), strict=True))
    names: Names = {}
    gone, come = (set(_WORD.findall(one)) for one in (old, new))
    gone, come = gone - come, come - gone  # names of both stay
    for (own, other), _ in votes.most_common():
        if own in gone and other in come:
            names[own] = other
            gone.remove(own)
            come.remove(other)
    return _WORD.sub(lambda found: names.get(found[0], found[0]), old)


def _bare(line: str) -> str:
    return _WORD.sub(lambda found: found[0] if found[0] in _KEPT else "_", line)
