"""Explanations as people read them in a session: a short text, and HTML."""

from __future__ import annotations

import os
import tempfile
import webbrowser
from html import escape
from pathlib import Path
from typing import Final

from structarr._explain.style import STYLE

PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>structarr: explanation</title>'
    '<meta name="viewport" content="width=device-width">'
    '<meta name="color-scheme" content="light dark">'
    '<body style="margin: 16px">{}</body></html>\n'
)
"""A page of its own."""


class Readable:
    """An explanation whose `repr` is short, and which notebooks show as HTML that unfolds."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}\n{self._brief}>"

    def _repr_html_(self) -> str:
        return _sections(self._brief, self._unfolds)

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """
        Write the explanation as a page that needs nothing from elsewhere.

        Parameters
        ----------
        path : str or path-like
            Where to write; a file that is there is replaced.

        Raises
        ------
        OSError
            If it cannot be written.

        See Also
        --------
        show : The same in a browser.

        Examples
        --------
        >>> import tempfile
        >>> import structarr as sa
        >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     page = Path(folder, "sum.html")
        ...     sa.explain(a.sum()).to_html(page)
        ...     page.read_text(encoding="utf-8")[:15]
        '<!doctype html>'
        """
        Path(path).write_text(PAGE.format(self._repr_html_() + self._details), encoding="utf-8")

    def show(self) -> Path:
        """
        Write the explanation as a page of a temporary folder, and open it in a browser.

        Returns
        -------
        pathlib.Path
            The page.

        See Also
        --------
        to_html : Writes it where you like.
        """
        path = Path(tempfile.mkdtemp(prefix="structarr-")) / "explanation.html"
        self.to_html(path)
        webbrowser.open(path.as_uri())
        return path

    @property
    def _brief(self) -> str:
        """The lines of the short text."""
        raise NotImplementedError

    @property
    def _unfolds(self) -> tuple[tuple[str, str], ...]:
        """Titles and texts of what unfolds."""
        return ()

    @property
    def _details(self) -> str:
        """HTML that pages have, and notebooks do not: it takes as long as lowering."""
        return ""


class WithKernel(Readable):
    """An explanation with kernels."""

    @property
    def summary(self) -> str:
        """A summary in a few lines: results, operands and the way of computing."""
        raise NotImplementedError

    @property
    def cin(self) -> str:
        """The program in concrete index notation."""
        raise NotImplementedError

    @property
    def kernel(self) -> str:
        """The Python source of the kernel."""
        raise NotImplementedError

    def source(self, language: str = "python") -> str:
        """
        The source of the kernel in a language.

        Parameters
        ----------
        language : {"python", "c", "llvm"}
            "python" is `kernel`; "c" is one function of C99 with all that it calls, which may be
            taken into a program of one's own: buffers are pointers with their lengths, and it says
            by its status if a result outgrows its room; "llvm" is what machine code is made of.

        Raises
        ------
        NotImplementedError
            If the kernel has something that the language is not written for, such as a function of
            a user's.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([0.0, 2.0, 0.0, 1.0], format="list")
        >>> "int kernel(" in sa.explain(a.sum()).source("c")
        True
        """
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
