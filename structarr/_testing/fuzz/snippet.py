"""A case that is Python text: past finds, and whatever a generator wrote down."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from structarr._testing.fuzz.case import Case, Refused
from structarr._testing.fuzz.compare import same
from structarr._testing.fuzz.refusals import reason


class Snippet(Case):
    """Python text that leaves `got` and `want`, or an error's class `raises` and a call `run`."""

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
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                exec(compile(self.text, self.name, "exec"), names)
            except Exception as error:
                if (why := reason(error)) is not None:
                    raise Refused(why) from error
                raise
            same(names["got"], names["want"], signs=False, bound=names.get("bound"))

    def simpler(self) -> Iterator[Case]:
        """Nothing: it is small already."""
        yield from ()
