"""Random semirings and users' operators: products of matrices, reductions and maps by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final

import numpy as np

import structarr as sa
from structarr._testing.fuzz.case import Refused
from structarr._testing.fuzz.loops.case import Loops
from structarr._testing.fuzz.loops.operands import Argument, Draws, Function, Given, random_array
from structarr.formats import names_for
from structarr.formats.entries import Array

SUMS: Final[Mapping[str, tuple[tuple[str, float], ...]]] = {
    "f": (("add", 0), ("maximum", -inf), ("minimum", inf), ("multiply", 1)),
    "i": (("add", 0), ("maximum", -inf), ("minimum", inf), ("bitwise_or", 0), ("bitwise_xor", 0)),
    "b": (("logical_or", 0), ("logical_xor", 0), ("logical_and", 1)),
}
"""Additions with their identities, by the kind of what they add."""
PRODUCTS: Final = {
    "f": ("multiply", "add", "minimum", "maximum", "subtract"),
    "i": ("multiply", "add", "minimum", "maximum", "bitwise_and"),
    "b": ("logical_and", "logical_or", "equal"),
}
OWN_SUMS: Final = (
    ("lambda a, b: max(a, b)", -inf, "commutative=True, associative=True, idempotent=True"),
    ("lambda a, b: a + b", 0, "commutative=True, associative=True, repeat='multiply'"),
    ("lambda a, b: a + b - a * b", 0, "commutative=True, associative=True"),
    ("lambda a, b: b if b != 0 else a", 0, "associative=True, idempotent=True"),
)
"""Users' additions: their identities, and what else is true of them; the last does not commute."""
OWN_PRODUCTS: Final = (
    ("lambda a, b: a * b - a", ""),
    ("lambda a, b: a * b", ", annihilator=0, commutative=True"),
    ("lambda a, b: a + b if a != 0 and b != 0 else a * 0", ", annihilator=0"),
    ("lambda a, b: a - b if a != 0 else a", ", left_annihilator=0"),
    ("lambda a, b: min(a, b)", ", commutative=True, associative=True, idempotent=True"),
)
COMMUTATIVE: Final = 3  # of the users' additions


@dataclass(frozen=True)
class OfSemiring(Loops):
    """`matmul(A, B)`, or `A` and `B` multiplied by element and reduced, by any two operators.

    `add` and `multiply` are names of NumPy's, or those of users' operators among the arguments.
    """

    kind: str = "matmul"
    add: str = "add"
    multiply: str = "multiply"
    identity: float = 0
    axis: int = 0
    out: str | None = None

    @property
    def _text(self) -> str:
        return self._call

    @property
    def operations(self) -> tuple[str, ...]:
        """The operations of a program, and their operators."""
        return self.kind, self.add, self.multiply

    @property
    def _call(self) -> str:
        """Python text of what is computed."""
        add, multiply = (
            repr(name) if name in vars(np) else name for name in (self.add, self.multiply)
        )
        asked = "" if self.out is None else f".asformat({self.out!r})"
        if self.kind == "matmul":
            return f"sa.matmul(A, B, semiring=sa.semiring({add}, {multiply})){asked}"
        product = f"{'np.' if self.multiply in vars(np) else ''}{self.multiply}(sa.asarray(A), B)"
        if self.kind == "map":
            return f"{product}{asked}"
        return f"sa.reduce({add}, {product}, axis={self.axis}){asked}"

    def _wanted(self) -> tuple[Any, ...]:
        a, b = (one.operand.data for one in self.arguments if isinstance(one, Given))
        add, multiply = self._function(self.add), self._function(self.multiply)
        if self.kind == "map":
            return (_at_each(a.shape, lambda at: multiply(a[at], b[at])),)
        if self.kind == "matmul":
            return (
                _at_each(
                    (a.shape[0], b.shape[1]),
                    lambda at: self._sum(
                        add, [multiply(a[at[0], k], b[k, at[1]]) for k in range(len(b))]
                    ),
                ),
            )
        left, right = np.moveaxis(a, self.axis, -1), np.moveaxis(b, self.axis, -1)
        return (
            _at_each(
                left.shape[:-1],
                lambda at: self._sum(
                    add, [multiply(x, y) for x, y in zip(left[at], right[at], strict=True)]
                ),
            ),
        )

    def _function(self, name: str) -> Callable[..., Any]:
        own = {one.name: one for one in self.arguments if isinstance(one, Function)}
        return own[name].plain() if name in own else getattr(np, name)  # type: ignore[no-any-return]

    def _sum(self, add: Callable[..., Any], terms: list[Any]) -> Any:
        """The terms added up in order, from the identity on where there are none."""
        if not terms:
            return None
        total = terms[0]
        for term in terms[1:]:
            total = add(total, term)
        return total

    def _got(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        try:
            return (eval(self._call, {"sa": sa, "np": np, **given}).compute(),)
        except ValueError as problem:
            if "zero-size array" in str(problem):  # as NumPy's refuse it
                raise Refused("ValueError: zero-size array") from problem
            raise

    def _same(self, got: Any, want: Any) -> None:
        dense = got.todense()
        bounds = {inf: "max", -inf: "min"}
        empty: Any = self.identity
        if dense.dtype.kind in "iu" and self.identity in bounds:
            empty = getattr(np.iinfo(dense.dtype), bounds[self.identity])
        filled = np.array([empty if one is None else one for one in want.reshape(-1)])
        super()._same(got, filled.reshape(want.shape).astype(dense.dtype))

    def _running(self) -> list[str]:
        return []

    def source(self) -> str:
        """Python text that leaves `got`, and says what is wanted."""
        given = [
            f"{one.name} = {one.operand.given_text if isinstance(one, Given) else one.text}"
            for one in self.arguments
        ]
        made = [f"{one.name} = {one.text}" for one in self.arguments if isinstance(one, Given)]
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        with np.errstate(all="ignore"):
            want = self._wanted()[0]
        return "\n".join(
            [
                "import numpy as np",
                "import structarr as sa",
                "from numpy import inf, nan",
                "from structarr._testing.forcing import witnessed",
                "from structarr.formats import *",
                *made,
                *given,
                f"with sa.options({options}), witnessed(print, {self.program}, {self.pieces}):",
                f"    got = {self._call}.todense()",
                f"# where nothing is added up: {self.identity}",
                f"want = np.array({want.tolist()!r}).reshape({want.shape})",
                "print(got, want, sep='\\n')",
                "",
            ]
        )


def _at_each(shape: tuple[int, ...], function: Callable[[tuple[int, ...]], Any]) -> Array:
    found = np.empty(shape, object)
    for at in np.ndindex(*shape):
        found[at] = function(at)
    return found


def random_semiring(rng: np.random.Generator, odd: bool) -> Loops:
    """Two matrices, and operators that add and multiply."""
    draws = Draws(rng)
    dtype = draws.pick("float64", "float64", "int64", "bool")
    kind = draws.pick("matmul", "matmul", "reduce", "map")
    n, k, m = (draws.pick(3, 4, 2, 1, 5, 0, 7) for _ in range(3))
    shapes = ((n, k), (k, m)) if kind == "matmul" else ((n, k), (n, k))
    arrays = [
        random_array(draws, name, own, dtype, False) for name, own in zip("AB", shapes, strict=True)
    ]
    arguments: list[Argument] = [*arrays]
    (add, identity), multiply = draws.among(SUMS[dtype[0]]), draws.among(PRODUCTS[dtype[0]])
    if dtype != "bool" and draws.chance(3):
        own = OWN_SUMS[: COMMUTATIVE if kind == "matmul" else len(OWN_SUMS)]
        lines, identity, facts = draws.among(own)
        text = f", identity={'np.inf' if identity == inf else '-np.inf' if identity else 0}"
        arguments.append(Function("total", lines, f"{text}, {facts}"))
        add = "total"
    if dtype != "bool" and draws.chance(2):
        arguments.append(Function("times", *draws.among(OWN_PRODUCTS)))
        multiply = "times"
    ndim = 1 if kind == "reduce" else 2
    out = str(draws.among(names_for(ndim))) if draws.chance(3) else None
    case = OfSemiring(tuple(arguments), kind=kind, add=add, multiply=multiply)
    return replace(case, identity=identity, axis=draws.pick(0, 1), out=out)
