"""The family of NumPy's calls: random programs of up to twelve steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from structarr._testing.fuzz import (
    steps_elementwise,
    steps_indexing,
    steps_keywords,
    steps_methods,
    steps_others,
    steps_rarer,
    steps_reductions,
    steps_shapes,
)
from structarr._testing.fuzz.case import BLOCK, Case, Settings
from structarr._testing.fuzz.draft import Draft
from structarr._testing.fuzz.operands import Operand, Pool
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result
from structarr._testing.fuzz.trees import random_format
from structarr._testing.fuzz.values import random_dtype, random_values
from structarr.formats import Format
from structarr.formats.entries import Array

Maker = Callable[[Draft], str | None]

STEPS: Final[dict[str, tuple[float, Maker]]] = {
    **steps_elementwise.STEPS,
    **steps_shapes.STEPS,
    **steps_indexing.STEPS,
    **steps_reductions.STEPS,
    **steps_others.STEPS,
    **steps_methods.STEPS,
    **steps_keywords.STEPS,
    **steps_rarer.STEPS,
}
_NAMES: Final = tuple(STEPS)
_SHARES: Final = np.array([weight for weight, _ in STEPS.values()], float)
_COUNTS: Final = (1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 9, 12)


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """A random program of NumPy's calls."""
    pool = _pool(settings.seed, settings.number // BLOCK)
    strict = bool(rng.random() < settings.strict)
    compiled = bool(rng.random() < settings.compiled)
    # LLVM draws conclusions of its own from what is odd.
    d = Draft(rng, pool, odd=bool(rng.random() < (0.5 if strict or compiled else 0.15)))
    d.operand(random_shape(rng))
    wanted = min(d.one(_COUNTS), 3 if compiled else settings.steps)
    for _ in range(4 * wanted):
        if len(d.steps) >= wanted or d.ended:
            break
        number = rng.choice(len(_NAMES), p=_SHARES / _SHARES.sum())
        name = _NAMES[number]
        d.add(STEPS[name][1], name)
    return _program(d, settings, strict, compiled)


@lru_cache(maxsize=2)
def _pool(seed: int, block: int) -> Pool:
    """The formats and dtypes of a block's programs."""
    rng = np.random.default_rng([seed, block, BLOCK])
    found = []
    for ndim in (1, 1, 2, 2, 2, 2, 2, 3, 3, 4):
        shape = (4,) * ndim if rng.random() < 0.5 else tuple(range(3, 3 + ndim))
        found.append(random_format(rng, shape, "float64"))
    return Pool(tuple(found), tuple(random_dtype(rng) for _ in range(4)))


def random_shape(rng: np.random.Generator) -> tuple[int, ...]:
    """A shape of zero to five axes, lengths 0 and 1 among them, now and then a long one."""
    ndim = int(rng.choice((0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 4, 5)))
    if ndim == 1 and rng.random() < 0.06:
        return (int(rng.integers(50, 2500)),)
    if ndim == 2 and rng.random() < 0.04:
        return (int(rng.integers(20, 60)), int(rng.integers(20, 50)))
    lengths = (0, 1, 2, 3, 4, 5, 7, 9) if ndim < 3 else (0, 1, 2, 2, 3, 3, 4)
    found = tuple(int(k) for k in rng.choice(lengths, ndim, p=_lengths_shares(len(lengths))))
    if ndim == 2 and rng.random() < 0.3:
        return (found[0], found[0])
    return found


def _lengths_shares(count: int) -> Any:
    shares = np.ones(count)
    shares[0] = 0.35
    return shares / shares.sum()


def run_options(
    rng: np.random.Generator, settings: Settings, strict: bool, compiled: bool
) -> dict[str, Any]:
    """How a program is run: in which tier, in pieces or by another plan than the one it takes."""
    options: dict[str, Any] = {"tier": "compiled" if compiled else "interpreted"}
    if strict:
        options["strict_ieee"] = True
    if rng.random() < settings.threads:
        options.update(threads=int(rng.integers(1, 4)), tier="auto", pieces=True)
    if rng.random() < settings.forced:
        options["program"] = int(rng.integers(0, 8))
    return options


def _program(d: Draft, settings: Settings, strict: bool, compiled: bool) -> Program:
    options = run_options(d.rng, settings, strict, compiled)
    names = [step.target for step in d.steps] or [d.operands[0].name]
    looked = [names[-1]]
    if len(names) > 1 and d.chance(0.3):
        looked.insert(0 if d.chance(0.5) else 1, str(d.one(names[:-1])))
    results = tuple(Result(name, _asked(d, name)) for name in looked)
    if d.raised is not None:
        results = tuple(Result(one.name) for one in results if one.name in d.values)
    return Program(
        operands=tuple(d.operands),
        steps=tuple(d.steps),
        results=results,
        options=options,
        rounds=_rounds(d),
        together=len(results) > 1 and d.chance(0.5) and d.raised is None,
    )


def _asked(d: Draft, name: str) -> Format | None:
    if d.raised is not None or name not in d.values or not d.chance(0.15):
        return None
    value = np.asarray(d.values[name])
    return random_format(d.rng, value.shape, value.dtype) if value.ndim else None


def _rounds(d: Draft) -> tuple[tuple[Array, ...], ...]:
    """Further elements of the same shapes, or of others, for what is remembered of the first."""
    if d.raised is not None or not d.chance(0.3):
        return ()
    longer = {length: length + d.number(0, 3) for one in d.operands for length in one.data.shape}
    if d.chance(0.6):
        longer = {length: length for length in longer}
    longer = {length: new if length > 1 else length for length, new in longer.items()}
    return (tuple(_another(d, one, longer) for one in d.operands),)


def _another(d: Draft, operand: Operand, longer: dict[int, int]) -> Array:
    shape = tuple(longer[length] for length in operand.data.shape)
    fill = operand.data.dtype.type(0) if operand.fill is None else operand.fill
    return random_values(d.rng, shape, operand.data.dtype, fill, d.odd)
