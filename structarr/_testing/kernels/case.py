"""A case of the corpus: an expression or a program, its name, and the options that hold."""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from structarr._support import syntax_trees

from .programs import OPERATORS

_SIGNS: Final = {
    "*": "times",
    "+": "plus",
    "-": "minus",
    "/": "over",
    "@": "at",
    "**": "power",
    ">": "above",
    "<": "below",
    "==": "equals",
    "&": "and",
    "|": "or",
    ":": "to",
}
_TOKEN: Final = re.compile(r"\w+|\*\*|==|[-*+/@<>&|:]")
_LONGEST: Final = 60  # letters of a name


@dataclass(frozen=True)
class Case:
    """
    A case of the corpus.

    Parameters
    ----------
    group : str
        What it is an example of.
    text : str
        A Python expression over the operands' names, ``np`` and ``sa``; its value is a lazy array,
        a tuple of arrays that are computed together, or anything else that kernels were needed
        for. Behind a ``#`` are options, as ``strict_ieee=True``.
    program : str
        The source of a function under `structarr.kernel`, named ``f`` in the text.

    Examples
    --------
    >>> case = Case("products", "csr @ dense  # strict_ieee=True")
    >>> case.name, case.operands, case.options
    ('products/csr_at_dense_strict_ieee_True', ('csr', 'dense'), {'strict_ieee': True})
    """

    group: str
    text: str
    program: str = ""

    @cached_property
    def name(self) -> str:
        """The group and the words of the text; a digest ends those that are too long."""
        words = [_SIGNS.get(part, part) for part in _TOKEN.findall(self._told)]
        said = re.sub("_+", "_", "_".join(words))
        if self.program:
            said = f"{_function(self.program)}_{said.removeprefix('f_')}"
        if len(said) > _LONGEST:
            digest = hashlib.sha256((self.text + self.program).encode()).hexdigest()[:6]
            said = f"{said[: _LONGEST - 7]}_{digest}"
        return f"{self.group.replace(' ', '_')}/{said}"

    @property
    def _told(self) -> str:
        return self.text.replace("sa.", "").replace("np.", "")

    @cached_property
    def expression(self) -> str:
        """The text without its options."""
        return self.text.partition("  # ")[0]

    @cached_property
    def options(self) -> dict[str, Any]:
        """The options that hold while it is computed."""
        told = self.text.partition("  # ")[2]
        call = syntax_trees.expression(f"options({told})")
        assert isinstance(call, ast.Call)
        return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The names of its operands, in the order of the text."""
        names = [node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)]
        return tuple(dict.fromkeys(name for name in names if not _is_bound(name)))

    @cached_property
    def _tree(self) -> ast.expr:
        return syntax_trees.expression(self.expression)


def _is_bound(name: str) -> bool:
    """Whether a name is no operand's: a module, a user's operator, or the class of a level."""
    is_level = len(name) > 1 and name[0].isupper()
    return is_level or name in ("np", "sa", "f", "abs", "bool") or name in OPERATORS


def _function(source: str) -> str:
    """The name of the function that a program defines."""
    found = re.search(r"def (\w+)", source)
    assert found is not None
    return found[1]
