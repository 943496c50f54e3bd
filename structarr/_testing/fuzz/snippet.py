"""A case that is Python text: past finds, and whatever a generator wrote down."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from structarr._testing.fuzz.case import Case
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.memory import bounded


class Snippet(Case):
    """Python text that leaves `got` and `want`, values or lists of them, and perhaps a `bound`."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    @property
    def operations(self) -> tuple[str, ...]:
        """The name."""
        return (self.name,)

    def source(self) -> str:
        """The text."""
        return self.text

    def check(self) -> None:
        """Run the text, and compare `got` with `want`."""
        names: dict[str, Any] = {"__name__": self.name}
        with bounded(), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            exec(compile(self.text, self.name, "exec"), names)
            got, want = names["got"], names["want"]
            pairs = zip(got, want, strict=True) if isinstance(want, list) else ((got, want),)
            for number, pair in enumerate(pairs):
                same(*pair, name=f"got[{number}]", bound=names.get("bound"))

    def simpler(self) -> Iterator[Case]:
        """Nothing: it is small already."""
        yield from ()
