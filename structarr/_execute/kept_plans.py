"""Plans on disk: kernels with all that calls of them need, found by structure without lowering.

The key of a request is a digest of the expression's text and the options, and of everything that
decides what becomes of it: the package's files, the code of what is from outside, the versions and
the processor (`_compiler/backend/disk/surroundings.py`). A request without a digest is lowered in
each process. Below the key are the choice, what was picked by the magnitudes of operands, and each
plan. All of it is text of nodes (`_scheduler/codec.py`); reading it runs no code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from structarr._compiler.backend.disk import folder, surroundings
from structarr._compiler.backend.kernel import of_text
from structarr._compiler.backend.params import Param
from structarr._compiler.ir.kernel import Function
from structarr._compiler.options import current
from structarr._compiler.rules.engine import RuleSet
from structarr._execute.partition_split import Split
from structarr._scheduler import machine
from structarr._scheduler.assemble import Program
from structarr._scheduler.code_digest import digest
from structarr._scheduler.codec import WithoutText, decoded, encoded
from structarr._scheduler.compiled import Compiled, Parts, Request, Result
from structarr._scheduler.discordant import Discordant
from structarr._support.debug import debug
from structarr.formats import Format

ENABLED = True
"""Whether plans are kept; tests that change how they are made have to do without."""

TOLD: Final = ("cin", "looplets", "kernel", "call")
"""The stages of which `STRUCTARR_DEBUG` tells, which are gone through then."""


class Made(NamedTuple):
    """A kernel, and how it is called in pieces."""

    compiled: Compiled
    split: Split | None


class Picked(NamedTuple):
    """The number of a program, and how long calls of it take, as far as that is known."""

    number: int
    steps: float | None
    seconds: float | None


class Kept:
    """The record on disk of a request."""

    def __init__(self, key: Callable[[], str], is_new: bool = False) -> None:
        self._key = key
        self._is_new = is_new  # whether no process has kept anything

    def varied(self, how: str) -> Kept:
        """The same of a variation of the request."""
        return Kept(lambda: _hash(self._key(), how), self._is_new)

    def choice(self) -> Format | Discordant | None:
        """The format of the results, or the operands to be transposed first; None if unknown."""
        found = None if self._is_new else self._read("choice")
        if found is None:
            self._is_new = True
            return None
        if isinstance(found, Format):
            return found
        orders, conflict, scheduled = found
        return Discordant(dict(orders), conflict, scheduled)

    def keep_choice(self, made: Format | Discordant) -> None:
        """Keep what `choice` gives."""
        if isinstance(made, Discordant):
            orders = tuple(made.orders.items())
            found = orders, made.conflict, made.scheduled
            self._write("choice", lambda: found)
        else:
            self._write("choice", lambda: made)

    def pick(self, magnitudes: Any) -> Picked | None:
        """The program that was picked for some magnitudes; None if none was."""
        found = None if self._is_new else self._read(_of_pick(magnitudes))
        return None if found is None else Picked(*found)

    def keep_pick(self, magnitudes: Any, picked: Callable[[], Picked]) -> None:
        """Keep what `pick` gives."""
        self._write(_of_pick(magnitudes), lambda: tuple(picked()))

    def least(self, magnitudes: Any) -> float | None:
        """The least expected seconds of calls of some magnitudes; None if they were not priced."""
        return None if self._is_new else self._read(f"least of {_of_pick(magnitudes)}")

    def keep_least(self, magnitudes: Any, seconds: float) -> None:
        """Keep what `least` gives."""
        self._write(f"least of {_of_pick(magnitudes)}", lambda: seconds)

    def plan(self, number: int, rules: RuleSet, source: Callable[[], Program]) -> Made | None:
        """The kernel of a program of a number; None where it was not compiled yet.

        `source` gives the program itself, for those who explain it.
        """
        found = None if self._is_new else self._read(f"plan {number}")
        if found is None:
            return None
        text, functions, spent, split, params, parts, arguments, results = found
        own = tuple([Param(*one) for one in params])
        kernel = of_text(text, own, lambda: tuple([Function(*one) for one in decoded(functions)]))
        made = tuple([Result(*one) for one in results])
        cut = None if split is None else Split.of_values(split)
        return Made(
            Compiled(kernel, Parts(*parts), own, arguments, made, rules, spent, source), cut
        )

    def keep_plan(self, number: int, made: Made) -> None:
        """Keep what `plan` gives."""
        self._write(f"plan {number}", lambda: _listed(made))

    def _read(self, what: str) -> Any:
        content = folder.read(self._name(what))
        if content is None:
            return None
        try:
            return decoded(content.decode())
        except (WithoutText, ValueError):
            return None

    def _write(self, what: str, value: Callable[[], Any]) -> None:
        def content() -> bytes | None:
            try:
                return encoded(value()).encode()
            except WithoutText:
                return None

        folder.later(lambda: self._name(what), content)

    def _name(self, what: str) -> str:
        return f"{_hash(self._key(), what)}.plan"


def kept(request: Request, *more: Any) -> Kept | None:
    """The record of a request and its surroundings; None where one of them has no digest."""
    options = current()
    if folder.directory() is None or options.checked or options.forced is not None:
        return None
    if not ENABLED or any(map(debug, TOLD)):
        return None
    rules = "" if request.rules is None else digest(request.rules)
    if rules is None:
        return None
    fields = {name: one for name, one in vars(request).items() if name != "rules"}
    try:
        text = encoded((*fields.values(), *more))
    except WithoutText:
        return None

    def key() -> str:
        return _hash(repr(surroundings.of_plans()), rules, text)

    return Kept(key, not surroundings.is_known())


def _listed(made: Made) -> tuple[Any, ...]:
    """A plan as values that have texts."""
    compiled, split = made
    kernel = compiled.kernel
    functions = encoded(tuple(map(tuple, kernel.functions)))
    cut = split and split.values
    params = tuple([_fields_of(one) for one in compiled.params])
    results = tuple([_fields_of(one) for one in compiled.results])
    parts, own = _fields_of(compiled.parts), (kernel.source, functions, compiled.spent, cut)
    return (*own, params, parts, compiled.arguments, results)


def _of_pick(magnitudes: Any) -> str:
    return f"pick {magnitudes} {machine.times()}"


def _fields_of(one: Any) -> tuple[Any, ...]:
    """The fields of a dataclass, in order."""
    return tuple([getattr(one, name) for name in type(one).__dataclass_fields__])


def _hash(*parts: str) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part.encode()).digest())
    return found.hexdigest()[:40]
