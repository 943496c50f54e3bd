"""The interpreted tier as a target."""

from __future__ import annotations

from collections.abc import Sequence

from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._compiler.backend.python.source import source
from structarr._compiler.backend.python.turns import turned
from structarr._compiler.backend.user_functions import called
from structarr._compiler.ir.kernel import Function


class PythonTarget:
    """Kernels as plain Python."""

    def build(self, functions: Sequence[Function], params: tuple[Param, ...]) -> Interpreted:
        """The kernel as a function of Python's."""
        users = {function.name: function for function in called(functions)}
        return Interpreted(source(functions), params, users, takes_turns=True)

    def build_text(self, text: str, params: tuple[Param, ...]) -> Interpreted:
        """The kernel of a text as a function of Python's."""
        return Interpreted(text, params, takes_turns=True, tree=turned(text))


PYTHON = PythonTarget()
