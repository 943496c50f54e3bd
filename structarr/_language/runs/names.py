"""What names stand for at a place of a program, and what writers of its lines ask for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from structarr._language.runs.kinds import Called, Kind
from structarr._language.runs.number_text import Value


@dataclass
class Names:
    """
    The names of a function or loop at a place.

    Attributes
    ----------
    fixed : dict
        Arrays and functions.
    numbers : dict
        The kinds of the variables that have a value for certain.
    kinds : dict
        Those of all variables that were assigned so far.
    """

    fixed: dict[str, Kind]
    numbers: dict[str, str]
    kinds: dict[str, str] = field(default_factory=dict)


Site = Callable[[str, ast.AST], int]
"""What numbers the places at which a kernel may stop: what is told there, and of which node."""
Call = Callable[[Called, ast.Call, Sequence[Value | str]], Value]
