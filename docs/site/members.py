"""The directive ``members``: what a room of the package publishes, with signatures."""

from __future__ import annotations

import inspect
from typing import ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from public_names import explained_as, found, names_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Members(SphinxDirective):
    """A table of the public names of some rooms, and below it the docstring of each."""

    has_content = True
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        """Return what autodoc makes of each name."""
        names = [name for room in self.content for name in names_of(room)]
        own = [name for name in names if explained_as(name) == name]
        lines = ["```{eval-rst}", ".. autosummary::", "   :nosignatures:", ""]
        lines += [f"   ~{explained_as(name)}" for name in names if _has_text(name)]
        lines.append("")
        for name in own:
            lines += [*_documented(name), ""]
        lines.append("```")
        container = nodes.Element()
        container.document = self.state.document
        source = self.get_source_info()[0]
        self.state.nested_parse(StringList(lines, source), self.content_offset, container)
        return container.children


def _has_text(name: str) -> bool:
    """Whether a name stands for a function or class, not for an object without a docstring."""
    return callable(found(name))


def _documented(name: str) -> list[str]:
    one = found(name)
    if inspect.isclass(one):
        if issubclass(one, BaseException):
            return [f".. autoexception:: {name}", "   :show-inheritance:"]
        return [f".. autoclass:: {name}", "   :members:"]
    if callable(one):
        return [f".. autofunction:: {name}"]
    return [f".. py:data:: {name}", "", f"   ``{one!r}``"]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("members", Members)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
