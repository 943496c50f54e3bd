"""Definitions of operators: a plain function on scalars, and the algebra that is declared of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from structarr._api.programs.check_algebra import USUAL, held_by, try_facts
from structarr._api.programs.operators import Named, Operator, op_of
from structarr._array import Scalar
from structarr._compiler.backend.function_digest import digest, freeze
from structarr._compiler.backend.user_functions import Function, is_rule
from structarr._compiler.ir.ops import Op, define, operator as known
from structarr._support import dtypes
from structarr._support.array_types import DTypeLike
from structarr.errors import OperatorError

_TRIED = ("float64", "int64", "bool")
"""The dtypes in one of which the facts of a new operator must hold."""


def operator(
    function: Callable[..., Any] | None = None,
    *,
    name: str | None = None,
    identity: Scalar | None = None,
    left_identity: Scalar | None = None,
    right_identity: Scalar | None = None,
    annihilator: Scalar | None = None,
    left_annihilator: Scalar | None = None,
    right_annihilator: Scalar | None = None,
    commutative: bool = False,
    associative: bool = False,
    idempotent: bool = False,
    distributes_over: Named | Sequence[Named] = (),
    repeat: Named | None = None,
    dtype: DTypeLike | None = None,
    samples: Any = USUAL,
) -> Any:
    """
    Make an operator on arrays of a plain function on scalars.

    The operator takes part in fusion, in reductions (`reduce`) and in semirings (`semiring`). What
    is declared of it decides what need not be computed: where an operand stores nothing and its
    fill annihilates, neither the other operand nor the function is looked at. The facts are tried
    on a few samples and then believed; `Operator.check` tries them on more.

    Parameters
    ----------
    function : function, optional
        Of one to three numbers, returning a number for all; without it, a decorator is returned. It
        may call `math`, NumPy's functions on scalars, and other plain functions. What it refers to
        is read once, now.
    name : str, optional
        As programs and errors call it; by default the function's.
    identity, left_identity, right_identity : scalar, optional
        ``f(e, x) = x`` and ``f(x, e) = x``; one of the two.
    annihilator, left_annihilator, right_annihilator : scalar, optional
        ``f(z, x) = z`` and ``f(x, z) = z``; one of the two. For whole numbers an infinity stands
        for the greatest or least of the dtype.
    commutative, associative, idempotent : bool
        ``f(a, b) = f(b, a)``, ``f(f(a, b), c) = f(a, f(b, c))``, ``f(a, a) = a``.
    distributes_over : operator or sequence of operators
        Those `g` with ``f(a, g(b, c)) = g(f(a, b), f(a, c))``, by name or themselves.
    repeat : operator, optional
        The `g` with ``f(...f(f(x, v), v)..., v) = f(x, g(v, n))`` for `n` updates, so that a run is
        reduced at once; or ``"once"``, which idempotent associative operators have by themselves.
    dtype : dtype_like or callable, optional
        Of the result: a dtype, or a function from the operands' common dtype to one. By default it
        is that of what the function returns for ones and a few more small numbers.
    samples : array_like, optional
        The values on which facts are tried, now and in each dtype that the operator is first used
        in. Facts about other domains need values of theirs; of none, nothing is tried.

    Returns
    -------
    Operator
        Equal functions with equal facts are one operator to the compiler, and others never share a
        kernel, whatever their names.

    Raises
    ------
    OperatorError
        If the function cannot be an operator, or a fact does not hold on the samples. It is
        compiled at the first large use; what Numba does not take is told then.

    See Also
    --------
    reduce : Reduces by an operator.
    semiring : Multiplies matrices by two.

    Notes
    -----
    Operands are promoted together by NumPy's rules. Inside the function, whole numbers have 64 bits
    and floats double precision, in compiled and interpreted kernels alike; the result is cast.

    Examples
    --------
    >>> import structarr as sa
    >>> @sa.operator(annihilator=0, commutative=True)
    ... def damped(a, b):
    ...     return a * b / (1 + abs(a * b))
    >>> a = sa.asarray([0.0, 1.0, 0.0, 3.0], format="list")
    >>> damped(a, [4.0, 1.0, 2.0, 1.0]).tolist()
    [0.0, 0.5, 0.0, 0.75]
    >>> damped(a, [4.0, 1.0, 2.0, 1.0]).format
    Layout('list')
    """
    facts = {
        "left_identity": _either(identity, left_identity, "left_identity"),
        "right_identity": _either(identity, right_identity, "right_identity"),
        "left_annihilator": _either(annihilator, left_annihilator, "left_annihilator"),
        "right_annihilator": _either(annihilator, right_annihilator, "right_annihilator"),
        "commutative": bool(commutative),
        "associative": bool(associative),
        "idempotent": bool(idempotent),
        "distributes_over": _names(distributes_over),
        "repeat": _repeat(repeat, idempotent and associative),
    }
    make = partial(
        _make, name=name, facts=facts, dtype=dtype, samples=tuple(np.ravel(samples).tolist())
    )
    return make if function is None else make(function)


def _make(
    function: Callable[..., Any],
    *,
    name: str | None,
    facts: dict[str, Any],
    dtype: Any,
    samples: tuple[Any, ...],
) -> Operator:
    plain = _plain(function)
    title = name or (plain.__name__ if plain.__name__.isidentifier() else "function")
    if not title.isidentifier():
        raise ValueError(f"name must be an identifier, as kernels mention it, not {name!r}")
    arity = _arity(plain, title)
    declared = _declared(facts)
    if arity != 2 and declared:
        raise ValueError(f"{declared[0]} is a fact about two operands; {title} takes {arity}")
    if facts["commutative"]:
        _mirror(facts)
    python, own, stable = freeze(plain)
    rule, same = _digest_of(dtype)
    text, plain_facts = digest(
        title, own, rule, *facts.values(), *([samples] if samples != USUAL else ())
    )
    unique = f"{title}_{text[:10]}"
    called = Function(
        unique,
        title,
        python,
        stable and same and plain_facts,
        arity,
        facts["left_identity"],
        dtype,
        partial(try_facts, unique, title, samples) if declared else None,
    )
    others = _outside(facts)
    op = define(Op(unique, arity, **facts, function=called, others=others))
    assert isinstance(op.function, Function)
    dtypes.declare(op.function)
    if declared:
        _try(op.function, [dtype for dtype in _TRIED if held_by(dtype, samples)])
    asked = {"name": name, "facts": facts, "dtype": dtype, "samples": samples}
    return Operator(plain, op, title, (_again, others, asked))


def _again(others: tuple[Op, ...], asked: dict[str, Any], function: Callable[..., Any]) -> Operator:
    """An equal operator in another process, which has those that its facts name by then."""
    del others
    return _make(function, **asked)


def _declared(facts: dict[str, Any]) -> list[str]:
    """The facts that are declared, whose numbers may be zero or False."""
    sides = ("left_", "right_")
    return [
        fact
        for fact, value in facts.items()
        if value or (value is not None and fact.startswith(sides))
    ]


def _try(function: Function, tried: Sequence[str]) -> None:
    """Refuse facts that hold in none of the dtypes of which the operator makes the same."""
    broken: OperatorError | None = None
    for dtype in filter(function.closes, tried):
        try:
            dtypes.resolve(function.name, (np.dtype(dtype),) * 2)
        except OperatorError as problem:
            broken = broken or problem
        else:
            return
    if broken is not None:
        raise broken


def _outside(facts: dict[str, Any]) -> tuple[Op, ...]:
    """The operators from outside that facts name."""
    names = dict.fromkeys([*facts["distributes_over"], facts["repeat"] or "once"])
    others = [known(name) for name in names if name != "once"]
    return tuple([other for other in others if other.function is not None])


def _plain(function: Any) -> FunctionType:
    plain = getattr(function, "py_func", function)  # a dispatcher of Numba or an operator
    if not isinstance(plain, FunctionType):
        raise TypeError(
            f"an operator is made of a plain Python function, not of {function!r}; "
            "call it in one: lambda a: ..."
        )
    return plain


def _arity(function: FunctionType, title: str) -> int:
    arity = 0
    for parameter in inspect.signature(function).parameters.values():
        if parameter.default is not parameter.empty:
            continue
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(f"operator {title} must name its operands, without * and **")
        arity += 1
    if not 1 <= arity <= 3:
        raise TypeError(f"operator {title} takes {arity} operands; it must take 1, 2 or 3")
    return arity


def _either(both: Any, one: Any, name: str) -> Scalar | None:
    """A fact, declared of both operands or of one."""
    if both is not None and one is not None:
        raise TypeError(f"{name} is declared twice: leave out one")
    value = both if one is None else one
    value = value.item() if isinstance(value, np.generic) else value
    if not (value is None or isinstance(value, bool | int | float | complex)):
        raise TypeError(f"{name} must be a number, not {value!r}")
    return value


def _mirror(facts: dict[str, Any]) -> None:
    """Copy the facts about one operand to the other."""
    for fact in ("identity", "annihilator"):
        left, right = facts[f"left_{fact}"], facts[f"right_{fact}"]
        known = right if left is None else left
        facts[f"left_{fact}"] = facts[f"right_{fact}"] = known


def _names(operators: Named | Sequence[Named]) -> tuple[str, ...]:
    if isinstance(operators, str | Operator | np.ufunc):
        operators = (operators,)
    return tuple(_of_two(one, "distributes_over") for one in operators)


def _repeat(repeat: Named | None, once: bool) -> str | None:
    if repeat is None:
        return "once" if once else None
    return "once" if repeat == "once" else _of_two(repeat, "repeat")


def _of_two(operator: Named, fact: str) -> str:
    op = op_of(operator)
    if op.arity != 2:
        raise ValueError(f"{fact} names operators of two operands; {op.name} takes {op.arity}")
    return op.name


def _digest_of(dtype: Any) -> tuple[str, bool]:
    if isinstance(dtype, FunctionType):
        try:
            inspect.signature(dtype).bind(np.dtype(float))
        except TypeError as error:
            raise TypeError(f"dtype= must be a function of the operands' dtype: {error}") from None
        _, text, stable = freeze(dtype)
        return text, stable
    if dtype is None or is_rule(dtype):
        return digest(dtype)
    return digest(dtypes.check(dtype))
