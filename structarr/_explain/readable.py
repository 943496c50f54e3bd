"""Explanations as people read them in a session: a short text, and HTML."""

from __future__ import annotations

from html import escape

from structarr._explain.style import STYLE


class Readable:
    """An explanation whose `repr` is short, and which notebooks show as HTML that unfolds."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}\n{self._brief}>"

    def _repr_html_(self) -> str:
        return _sections(self._brief, self._unfolds)

    @property
    def _brief(self) -> str:
        """The lines of the short text."""
        raise NotImplementedError

    @property
    def _unfolds(self) -> tuple[tuple[str, str], ...]:
        """Titles and texts of what unfolds."""
        return ()


class WithKernel(Readable):
    """An explanation with kernels."""

    @property
    def summary(self) -> str:
        """What is computed from what, and how, in a few lines."""
        raise NotImplementedError

    @property
    def cin(self) -> str:
        """The program in concrete index notation."""
        raise NotImplementedError

    @property
    def kernel(self) -> str:
        """The Python source of the kernel."""
        raise NotImplementedError

    @property
    def _brief(self) -> str:
        lines = self.kernel.count("\n")
        more = f".kernel ({lines} lines), .cin and .cost tell more, and print() all of it"
        return f"{self.summary}\n\n{more}"

    @property
    def _unfolds(self) -> tuple[tuple[str, str], ...]:
        return ("program", self.cin), ("kernel", self.kernel)


def _sections(summary: str, parts: tuple[tuple[str, str], ...]) -> str:
    """An element with texts that unfold."""
    folded = "".join(
        f"<details><summary>{escape(title)}</summary><pre>{escape(text)}</pre></details>"
        for title, text in parts
        if text
    )
    return f'<div class="structarr card">{STYLE}<pre>{escape(summary)}</pre>{folded}</div>'
