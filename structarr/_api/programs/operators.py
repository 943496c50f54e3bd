"""Operators of users: a plain function on scalars, and the algebra that its author declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial, update_wrapper
from types import FunctionType
from typing import Any, TypeAlias

import numpy as np

from structarr._api.core.expressions import apply
from structarr._api.programs.check_algebra import check_facts
from structarr._array import WEAK, Scalar
from structarr._compiler.backend.function_digest import digest, freeze
from structarr._compiler.backend.user_functions import Function, is_rule
from structarr._compiler.ir.ops import Op, define, operator as known, operator_named
from structarr._support import dtypes

Named: TypeAlias = "Operator | np.ufunc | str"


class Operator:
    """
    A function on scalars that applies to arrays element by element; `operator` makes one.

    Called on arrays it broadcasts them and gives a lazy array. Called on scalars alone it is the
    plain function.

    Attributes
    ----------
    op : structarr.cin.Op
        The operator as programs have it, named uniquely.
    py_func : function
        The plain function.
    """

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[..., Any], op: Op, title: str) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.op = op
        self.title = title

    def __call__(self, *operands: Any) -> Any:
        if len(operands) != self.op.arity:
            raise TypeError(
                f"operator {self.title} takes {self.op.arity} operands, not {len(operands)}"
            )
        if all(type(value) in WEAK or isinstance(value, np.generic) for value in operands):
            return self.py_func(*operands)
        return apply(self.op.name, operands)

    def check(self, samples: Any) -> None:
        """
        Check the declared algebra on sample values.

        Parameters
        ----------
        samples : array_like
            Values of one dtype. All triples of the first sixteen are tried.

        Raises
        ------
        AssertionError
            With the first counterexample.

        Examples
        --------
        >>> import structarr as sa
        >>> less = sa.operator(lambda a, b: a - b, name="less", commutative=True)
        >>> less.check([1, 2])
        Traceback (most recent call last):
        ...
        AssertionError: less is declared commutative, but less(1, 2) is -1 and less(2, 1) is 1
        """
        check_facts(self.op, self.title, samples)

    def __repr__(self) -> str:
        return f"<structarr operator {self.title} of {self.op.arity}>"

    def __reduce__(self) -> str:
        return self.__qualname__  # by reference, as functions are pickled


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
    dtype: Any = None,
) -> Any:
    """
    Make an operator on arrays of a plain function on scalars.

    The operator takes part in fusion, in reductions (`reduce`) and in semirings (`semiring`). What
    is declared of it decides what need not be computed: where an operand stores nothing and its
    fill annihilates, neither the other operand nor the function is looked at. The facts are
    believed; `Operator.check` tries them.

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
    dtype : dtype or callable, optional
        Of the result: a dtype, or a function from the operands' common dtype to one. By default it
        is that of what the function returns for ones and a few more small numbers.

    Returns
    -------
    Operator
        Equal functions with equal facts are one operator to the compiler, and others never share a
        kernel, whatever their names.

    Raises
    ------
    OperatorError
        If the function cannot be an operator. It is compiled at the first large use; what Numba
        does not take is told then.

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
    make = partial(_make, name=name, facts=facts, dtype=dtype)
    return make if function is None else make(function)


def _make(
    function: Callable[..., Any], *, name: str | None, facts: dict[str, Any], dtype: Any
) -> Operator:
    plain = _plain(function)
    title = name or (plain.__name__ if plain.__name__.isidentifier() else "function")
    if not title.isidentifier():
        raise ValueError(f"name must be an identifier, as kernels mention it, not {name!r}")
    arity = _arity(plain, title)
    if arity != 2 and any(facts.values()):
        declared = next(fact for fact, value in facts.items() if value not in (None, False, ()))
        raise ValueError(f"{declared} is a fact about two operands; {title} takes {arity}")
    if facts["commutative"]:
        _mirror(facts)
    python, own, stable = freeze(plain)
    rule, same = _digest_of(dtype)
    text, plain_facts = digest(title, own, rule, *facts.values())
    unique = f"{title}_{text[:10]}"
    called = Function(
        unique, title, python, stable and same and plain_facts, arity, facts["left_identity"], dtype
    )
    op = define(Op(unique, arity, **facts, function=called, others=_outside(facts)))
    assert isinstance(op.function, Function)
    dtypes.declare(op.function)
    return Operator(plain, op, title)


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
    return tuple(op_of(one).name for one in operators)


def _repeat(repeat: Named | None, once: bool) -> str | None:
    if repeat is None:
        return "once" if once else None
    return "once" if repeat == "once" else op_of(repeat).name


def op_of(operator: Named) -> Op:
    """Return the compiler's operator for a user's, for a ufunc of NumPy's, or for its name."""
    if isinstance(operator, Operator):
        return operator.op
    found = operator_named(operator.__name__ if isinstance(operator, np.ufunc) else operator)
    if found is None:
        raise TypeError(
            f"{operator!r} is no operator: give one that structarr.operator made, or an "
            "elementwise function of NumPy's"
        )
    return found


def _digest_of(dtype: Any) -> tuple[str, bool]:
    if isinstance(dtype, FunctionType):
        _, text, stable = freeze(dtype)
        return text, stable
    if dtype is None or is_rule(dtype):
        return digest(dtype)
    return digest(dtypes.check(dtype))
