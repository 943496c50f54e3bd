"""Kernels in the languages that they are translated to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from structarr._compiler.backend.c import module as c
from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.llvm import module as llvm
from structarr._compiler.backend.text.kinds import Untranslated
from structarr._support.meant import meant

LANGUAGES: Final[dict[str, Callable[[Kernel], str]]] = {
    "python": lambda kernel: kernel.source,
    "c": lambda kernel: c.translated(kernel.source, kernel.params, users=kernel.users).text,
    "llvm": lambda kernel: llvm.translated("kernel", kernel.source, kernel.params),
}
"""What writes a kernel, by language."""

COMMENTS: Final = {"c": "//", "llvm": ";"}
"""The sign of a comment, where it is not Python's."""


def in_language(kernel: Kernel, language: str) -> str:
    """A kernel in a language."""
    if language not in LANGUAGES:
        raise ValueError(
            f"there is no language {language!r}; {meant(language, LANGUAGES)}kernels are written "
            f"in {', '.join(LANGUAGES)}"
        )
    try:
        return LANGUAGES[language](kernel)
    except Untranslated as found:
        raise NotImplementedError(
            f'this kernel has {found}, which is not written in {language}; source("python") is '
            "there for every kernel"
        ) from None
