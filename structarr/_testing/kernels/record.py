"""The records of cases: the programs and kernels that each takes, and its results.

The modules of this folder also run beside another commit's package, of which they use what is
public, and nothing newer than what they compare. Each case has a process of its own: what one
compiles, the next would not show.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any, Final, TypeAlias

import numpy as np

import structarr as sa

from . import data
from .case import Case
from .operands import SHAPES, made_by
from .programs import OPERATORS

STAGES: Final = "cin,kernel,call"
"""The stages, for `STRUCTARR_DEBUG`, that are recorded."""

SECONDS: Final = 60  # for a case, of which most take hundredths

Part: TypeAlias = tuple[str, str]  # a title and a text
Record: TypeAlias = tuple[Part, ...]

_FAMILIES: Final = {name: value for name, value in vars(data).items() if not name.startswith("_")}
_LEVELS: Final = {n: v for n, v in vars(sa.formats).items() if isinstance(v, type)}
_NAMES: Final = {"np": np, "sa": sa, **SHAPES, **_FAMILIES, **_LEVELS}


class _Lines:
    """Stands for stderr; each `print` to it is kept as one text."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def write(self, text: str) -> int:
        if text != "\n":
            self.texts.append(text.rstrip("\n"))
        return len(text)

    def flush(self) -> None:
        """Nothing waits."""


def records(cases: Iterable[Case], jobs: int = 1) -> Iterator[tuple[Case, Record]]:
    """The records of the cases, in their order."""
    cases = list(cases)
    names = tuple(dict.fromkeys(name for case in cases for name in case.operands))
    (given,) = apart(made, [names], 1)
    if not isinstance(given, dict):
        raise RuntimeError(f"the operands cannot be made: {given}")
    work = [(case, {name: given[name] for name in case.operands}) for case in cases]
    for case, found in zip(cases, apart(_recorded, work, jobs), strict=True):
        yield case, (("error", found),) if isinstance(found, str) else found


def apart(function: Callable[[Any], Any], work: Iterable[Any], jobs: int) -> Iterator[Any]:
    """A function's values, each found by a process of its own; a text for one that ends early."""
    context = get_context("fork" if "fork" in get_all_start_methods() else None)
    running: deque[tuple[Any, Any]] = deque()
    for one in work:
        receiving, sending = context.Pipe(duplex=False)
        process = context.Process(target=_send, args=(sending, function, one), daemon=True)
        process.start()
        sending.close()
        running.append((process, receiving))
        if len(running) >= jobs:
            yield _received(*running.popleft())
    while running:
        yield _received(*running.popleft())


def _send(pipe: Connection, function: Callable[[Any], Any], one: Any) -> None:
    pipe.send(function(one))


def _received(process: Any, pipe: Connection) -> Any:
    try:
        found = pipe.recv() if pipe.poll(SECONDS) else f"no end within {SECONDS} seconds"
    except EOFError:
        found = "its process ended early"
    process.kill()
    process.join()
    return found


def made(names: Iterable[str]) -> dict[str, bytes | str]:
    """Operands as pickles, since making them takes kernels; or why there is none."""
    with _listening():
        return {name: _made(name) for name in names}


def _made(name: str) -> bytes | str:
    try:
        with sa.options(tier="interpreted"):
            return pickle.dumps(operand(name))
    except Exception as error:
        return f"{name}: {type(error).__name__}: {error}"


def operand(name: str) -> Any:
    """The operand of a name."""
    (found,) = _values(eval(made_by(name), dict(_NAMES)))
    return found


def _recorded(work: tuple[Case, dict[str, bytes | str]]) -> Record:
    case, given = work
    missing = [text for text in given.values() if isinstance(text, str)]
    if missing:
        return tuple(("error", text) for text in missing)
    operands = {name: pickle.loads(held) for name, held in given.items() if isinstance(held, bytes)}
    return record(case, operands)


def record(case: Case, operands: dict[str, Any]) -> Record:
    """The record of a case, whose kernels this process must not have met."""
    parts: list[Part] = [("operand", f"{n}: {_shown(v)}") for n, v in operands.items()]
    failed: list[Part] = []
    results: list[Part] = []
    with sa.options(**{"tier": "interpreted", **case.options}), _listening() as told:
        try:
            results = [("result", _shown(one)) for one in computed(case, operands)]
        except Exception as error:
            failed = [("error", f"{type(error).__name__}: {error}")]
    return (*parts, *results, *[(_title(text), text) for text in told], *failed)


def computed(case: Case, operands: dict[str, Any]) -> list[Any]:
    """The values of a case."""
    names = {**_NAMES, **{n: eval(text, dict(_NAMES)) for n, text in OPERATORS.items()}, **operands}
    if case.program:
        names["f"] = sa.kernel(case.program)
    return _values(eval(case.expression, names))


def _values(found: Any) -> list[Any]:
    if isinstance(found, tuple):
        return [value for one in found for value in _values(one)]
    return [found.compute() if isinstance(found, sa.Array) else found]


def _shown(value: Any) -> str:
    if not isinstance(value, sa.Array):
        return f"{type(value).__name__} {getattr(value, 'shape', value)}"
    layout, fill = value.format, value.fill_value
    leaf = f"{value.dtype} {value.shape}, {value.nstored} stored, fill {fill}"
    return f"{layout}, {getattr(layout, 'index', '')} coordinates, {leaf}"


def _title(text: str) -> str:
    if text.startswith("def "):
        return "kernel"
    return "call" if text.startswith(("takes ", "gives ")) else "program"


@contextmanager
def _listening() -> Iterator[list[str]]:
    lines, before = _Lines(), sys.stderr
    sys.stderr = lines
    try:
        yield lines.texts
    finally:
        sys.stderr = before
