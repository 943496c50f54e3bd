"""The family of formulas: products and sums of matrices as statistics and solvers write them.

Most matrices have a few rows. Some have enough that plans for many elements are worth it: products
are split along sums, factors scaled and joined, values computed first that a product reads again.
Elements are small whole numbers, of which sums are exact in any order.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from structarr._testing.fuzz.case import Case, Settings
from structarr._testing.fuzz.draft import MOST, Draft, TooLarge
from structarr._testing.fuzz.expressions import run_options
from structarr._testing.fuzz.operands import Operand, Pool
from structarr._testing.fuzz.program import Program
from structarr._testing.fuzz.step import Result
from structarr._testing.fuzz.words import words
from structarr.formats import parse
from structarr.formats.entries import Array

FORMULAS: Final = (
    # products with sums, and with what takes long
    "({s} - {v}) @ {x}",
    "({s} - {u}[:, None]).T @ {b}",
    "({s} + {n} * {t}) @ {x}",
    "({s} - {v}) @ ({q} + {v}[:, None]) @ {w}",
    "(({s} - {n}) ** 2).sum(axis={k})",
    "(({s} - {v}) ** 2).sum(axis={k})",
    "(({s} - np.outer({u}, {v})) ** 2).sum()",
    "(({s} - {b} @ {x}.T) ** 2).sum()",
    "(({s} - {t}) * ({s} + {n} * {t})).sum()",
    "(({s} - {v}) * {u}[:, None]).T @ (({s} - {v}) @ {x})",
    "(({s} + {v}) * ({t} - {u}[:, None])).sum(axis={k})",
    "{s}.T @ np.clip({b} @ {x}.T @ {v}, -9, 9)",
    "{s} @ np.abs({v})",
    "({s} * np.maximum({v}, 0)).T @ {u}",
    "np.maximum({s} @ {v}, 0) @ {s}",
    "{s} / np.maximum(np.abs({s}).sum(axis=1), 1)[:, None]",
    # products of several, scaled and masked
    "{s} @ {q} @ {x} @ {w}",
    "{u} @ {s} @ {q} @ {v}",
    "({s} @ {q}).sum(axis={k})",
    "({s} @ {q}).sum()",
    "({s}.T @ {t}).sum(axis={k})",
    "{s} * ({b} @ {x}.T)",
    "({s} * ({b} @ {x}.T)).sum(axis={k})",
    "np.where({s} != 0, {b} @ {x}.T, 0)",
    "{t} * ({s} @ {q})",
    "{s}.T @ ({u}[:, None] * {t})",
    "{s}.T @ ({u}[:, None] * {s})",
    "{b}.T @ ({u}[:, None] * {b})",
    "{b}.T @ (np.abs({u})[:, None] * {s} @ {x})",
    "({s}.T * {u}) @ {s}",
    "{s} @ np.diag({v}) @ {x}",
    "{s} @ {s}.T",
    "({s} @ {s}.T)[{i}]",
    "np.trace({s} @ {t}.T)",
    "np.diagonal({s} @ {t}.T)",
    "({s} @ {q})[{i}]",
    "({s} @ {x})[{i}] @ {w}",
    "{q} @ {q} @ {v}",
    "{q} @ {q}.T",
    "({q} + {q}.T) @ {x}",
    "np.linalg.matrix_power({q}, 2) @ {v}",
    "np.einsum('ij,ik,jk->i', {b}, {b}, {x}[: {b}.shape[1]])",
    "np.einsum('ij,kj,j->ik', {s}, {t}, {v})",
    "np.einsum('ij,ij,j->i', {s}, {t}, {v})",
    "np.einsum('ij,j,jk,k->i', {s}, {v}, {q}, {v})",
    # joins
    "np.concatenate([{s}, {t}], axis=1) @ np.concatenate([{x}, {x}])",
    "np.concatenate([{s}, {t}]) @ {x}",
    "np.concatenate([{s}, {b}], axis=1).T @ {u}",
    "(np.concatenate([{s}, {b}, {t}], axis=1) - {n}).T @ {b}",
    "(np.concatenate([{s}, {b}], axis=1) * {u}[:, None]).T @ np.concatenate([{s}, {b}], axis=1)",
    "np.concatenate([{s}, {t}], axis=1).T @ ({u}[:, None] * np.concatenate([{s}, {t}], axis=1))",
    "(np.concatenate([{s}, {t}]) - {v}).sum(axis={k})",
    "(np.concatenate([{s}, {t}])[{i}] - {v}) @ {x}",
    "np.concatenate([{s}, {b}], axis=1)[:, {i}:].T @ {u}",
    "np.concatenate([{s}, {t}], axis=1)[:, ::2].sum(axis={k})",
    "np.concatenate([{s}, {u}[:, None], {t}], axis=1)[{i}:] @ np.arange(2 * len({v}) + 1)",
    "np.vstack([{s}, {t}, {s}])[{i}:, 1:].sum(axis={k})",
    "np.block([[{s}, {b}], [{t}, {b}]]) @ np.concatenate([{v}, {w}])",
    "np.hstack([{b}, {u}[:, None], {b}]).T @ {u}",
    "np.maximum(np.hstack([{s}, {t}]), {n}).sum(axis={k})",
    "np.append({s} @ {v}, {t} @ {v})",
    # parts, places and other shapes
    "({s} * {u}[:, None])[{i}:, ::2] @ {v}[::2]",
    "{s}[{p}] @ {x}",
    "{s}[:, {c}] @ {x}[{c}]",
    "{u}[{p}] @ {s}[{p}]",
    "({s} @ {x})[{p}]",
    "{x}[{c}].T @ {s}.T[{c}] @ {u}",
    "({u}[{p}][:, None] * {s}[{p}]).sum(axis={k})",
    "({s}[{i}:] - {v}) @ {x}",
    "{s}[:, {i}:] @ {x}[{i}:]",
    "({s}[:, 1:] - {s}[:, :-1]).sum(axis={k})",
    "np.diff({s}, axis={k}) @ np.ones({s}.shape[1] - {k})",
    "np.cumsum({s}, axis={k}) * {t}",
    "(np.cumsum({s}, axis={k}) @ {x})[{i}]",
    "np.kron({y}, {z}) @ np.ones((9, 2))",
    "np.kron(np.eye(2), {s}) @ np.concatenate([{x}, {x}])",
    "np.kron({y}, {z}).sum(axis={k})",
    "{u} @ np.repeat({v}[None], {s}.shape[0], axis=0)",
    "({p}[:, None] == np.arange(4)).T @ {b}[: len({p})]",
    "({p}[:, None] == np.arange(4)).T * np.arange(len({p})) @ ({p}[:, None] == np.arange(4))",
    "np.eye(4)[{p} % 4].T @ (np.arange(len({p}))[:, None] * np.eye(4)[{p} % 4])",
    # elementwise, of many and of one
    "{s} + {t} + {s} * {u}[:, None] + {v} * {t}",
    "({s} > 0).sum(axis={k})",
    "({s} != 0).any(axis={k})",
    "(({s} > 0) & ({t} < {n})).sum(axis={k})",
    "np.abs({s}).max()",
    "{s} * {n} + {n}",
    "{q} - {q}.T",
    "({s} + {t} + {s} * {n} + {t} * {s}).sum(axis={k})",
    "{s} + {t} - {s} * {t} + {r}",
    # symmetric matrices
    "{h} @ {x}",
    "({h} * {v}).sum(axis={k})",
    "{v} @ {h} @ {v}",
    "{h} @ {q} + {h}",
    "{h} * 2 - {h}.T",
    "({s} * {t}).sum(axis={k})",
    "{s} * 2",
    "{s} - {t}",
)
STORED: Final = words("csr csr csc coo dcsr dia bsr vbl bitmap rle dense hash csf band")
DENSE: Final = words("dense dense dense rle")
SIDES: Final = (2, 3, 4, 6, 7, 30, 60)
PLACES: Final = "pc"


def generate(rng: np.random.Generator, settings: Settings) -> Case:
    """Up to three formulas over matrices that fit each other."""
    block = settings.block_rng()  # programs that follow each other lower the same kernels
    dtype = str(block.choice(("float64", "float64", "float64", "int64", "float32", "complex128")))
    formats = {name: str(block.choice(STORED)) for name in "stqr"}
    compiled = bool(rng.random() < settings.compiled)
    d = Draft(rng, Pool((), (np.dtype(dtype),)), odd=False)
    drawn = _Drawn(d, dtype, formats, bool(block.random() < 0.5))
    for _ in range(d.number(1, min(3, settings.steps))):
        formula = d.one(FORMULAS)
        d.add(lambda _, formula=formula: drawn.filled(formula), "formula")  # type: ignore[misc]
    if not d.operands:
        drawn.operand("s")
    names = [step.target for step in d.steps if step.target in d.values] or [d.operands[0].name]
    options = run_options(rng, settings, bool(rng.random() < settings.strict), compiled)
    return Program(
        operands=tuple(d.operands),
        steps=tuple(d.steps),
        results=tuple(Result(name) for name in names),
        options={**options, "few": True} if rng.random() < settings.forced else options,
        rounds=drawn.others() if d.chance(0.3) and d.raised is None else (),
        together=len(names) > 1 and d.raised is None and d.chance(0.7),
    )


class _Drawn:
    """The operands of formulas by their letters, each made where one first asks for it."""

    def __init__(self, d: Draft, dtype: str, formats: dict[str, str], large: bool) -> None:
        self._d, self._dtype, self._formats = d, dtype, formats
        n, m = (d.one(SIDES if large else SIDES[:5]) for _ in range(2))
        k = d.number(1, 3)
        self._shapes: dict[str, tuple[int, ...]] = {
            "s": (n, m),
            "t": (n, m),
            "q": (m, m),
            "x": (m, k),
            "b": (n, k),
        }
        self._shapes |= {
            "h": (m, m),
            "r": (n, m),
            "u": (n,),
            "v": (m,),
            "w": (k,),
            "y": (3, 2),
            "z": (3, d.number(1, 3)),
        }
        self._names: dict[str, str] = {}
        self._density = d.one((0.1, 0.3, 0.6))

    def filled(self, formula: str) -> str:
        """A formula with its operands' names, and numbers."""
        return re.sub(r"\{(\w)\}", lambda found: self._word(found[1]), formula)

    def _word(self, letter: str) -> str:
        d, (n, m) = self._d, self._shapes["s"]
        if letter in PLACES:
            most = (n if letter == "p" else m) - 1
            return f"np.array({[d.number(0, most) for _ in range(min(n, 5))]})"
        if letter in self._shapes:
            if self._names.get(letter) not in d.values:
                self._names[letter] = self.operand(letter)
            return self._names[letter]
        return str(d.number(*{"n": (-2, 3), "k": (0, 1), "i": (0, min(n, m) - 1)}[letter]))

    def operand(self, letter: str) -> str:
        """A new operand, stored sparsely if its letter stands for what is."""
        shape = self._shapes[letter]
        if int(np.prod(shape)) > 2 * MOST:
            raise TooLarge
        d, name = self._d, f"a{len(self._d.operands)}"
        data = self._elements(shape, 1.0 if letter in "xbuvw" else self._density)
        if letter == "h":
            data = data + data.T.conj()
        named = {**self._formats, "h": "hermitian" if self._dtype == "complex128" else "symmetric"}
        format = parse(named.get(letter) or d.one(DENSE), len(shape))
        if len(shape) == 1:
            format = parse(d.one(words("dense dense list rle")), 1)
        made = Operand(name, data, "ours", format, data.dtype.type(0))
        if d.chance(0.1):
            made = Operand(name, data, "raw")
        d.operands.append(made)
        d.values[name] = data
        return name

    def _elements(self, shape: tuple[int, ...], density: float) -> Array:
        rng = self._d.rng
        stored = rng.random(shape) < density
        return np.where(stored, rng.integers(-3, 4, shape), 0).astype(self._dtype)

    def others(self) -> tuple[tuple[Array, ...], ...]:
        """Other elements, for what is remembered of the first."""
        every = tuple(self._elements(one.data.shape, self._density) for one in self._d.operands)
        return (every,)
