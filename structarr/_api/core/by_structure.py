"""Functions of several operations, whose expressions are made by one look-up when seen before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import wraps
from typing import Any, Final, TypeVar

import numpy as np

from structarr._api.core.eager_mode import as_one, separate
from structarr._api.core.expressions import CHAIN_LIMIT
from structarr._api.core.uses import WITHIN, note_use, settle_parts
from structarr._array import WATCHER, Array, is_open
from structarr._compiler.options import EAGER, current
from structarr._execute.expression_key import pattern
from structarr._lazy import composite
from structarr._lazy.node import Node
from structarr._support.array_types import MISSING
from structarr._support.caches import room, table

F = TypeVar("F", bound=Callable[..., Any])

LISTS: Final = (list, tuple)

SIGNED: Final = (float, complex)
"""The types of zeros whose sign no comparison tells."""

NO_DETAILS: Final = ((), ())
"""The key of a call without other arguments, as `_details` gives it."""

COST: Final = 4
"""The operations that a composite counts as."""

PLAIN: Final = frozenset(
    {bool, int, float, complex, str, type(None), type(MISSING), type, np.dtype}
)
"""The types of parameters that say all about themselves."""

TELLING: Final = PLAIN - {float, complex}
"""The types of parameters whose values are told apart by comparing them."""

_TELLING: Final[dict[tuple[type, ...], bool]] = table()
"""The types of arguments that calls had, all of them of these."""


def by_structure(count: int | None) -> Callable[[F], F]:
    """
    Mark a function that looks at no values: its result is noted by the structure of its arrays.

    Parameters
    ----------
    count : int, optional
        How many arrays it takes, as its first arguments; None stands for a sequence of arrays.
        Calls with other parameters than numbers, names, dtypes and tuples of these are made as if
        it were not marked.

    Examples
    --------
    >>> import structarr as sa
    >>> @by_structure(1)
    ... def spread(array, axis):
    ...     return array.max(axis=axis) - array.min(axis=axis)
    >>> a = sa.asarray([[1, 0, 3], [0, 0, 5]], format="csr")
    >>> spread(a, 1).tolist(), spread(a + 1, 1).tolist()
    ([3, 5], [3, 5])
    """

    def mark(function: F) -> F:
        @wraps(function)
        def known(*args: Any, **kwargs: Any) -> Any:
            if EAGER and separate():
                return as_one(known, args, kwargs)
            arrays: Any = args[:count]
            rest: Any = args[len(arrays) :]
            if count is None:
                arrays, rest = (args[0], args[1:]) if args and type(args[0]) in LISTS else ((), ())
            named = rest if not kwargs else (*rest, *kwargs, *kwargs.values())
            details: Hashable = _details(named) if named else NO_DETAILS
            options = current()
            under = options.planned, options.densify_limit, options.default_format
            is_settled = False
            if count == 1 and arrays and type(arrays[0]) is Array:  # what most are, without lists
                array = arrays[0]
                if array._plain and array._cost < CHAIN_LIMIT - COST and WATCHER.get() is None:
                    if array._cost:
                        settle_parts(array)
                        is_settled = True
                    key = function, details, None, under
                    found = composite.of_one_again(key, array._node)
                    if found is not None:
                        made = Array(found, COST + array._cost)
                        if array._cost:
                            note_use(array)
                        return made
            cost = COST if arrays else CHAIN_LIMIT
            for one in arrays:
                if type(one) is not Array or not one._plain:
                    cost = CHAIN_LIMIT
                    break
                cost += one._cost
            if COST < cost != CHAIN_LIMIT:
                if not is_settled:
                    settle_parts(*arrays)
                cost = COST + sum([one._cost for one in arrays])
            if cost >= CHAIN_LIMIT or (WATCHER.get() is not None and any(map(is_open, arrays))):
                return _whole(function, args, kwargs)
            nodes: tuple[Node, ...] = tuple([one._node for one in arrays])
            if details is None:
                return _whole(function, args, kwargs)
            same = None
            if len(nodes) > 1:
                same = pattern([*nodes])
                nodes = tuple(dict.fromkeys(nodes))
            found = composite.again((function, details, same, under), nodes)
            if found is not None:
                if cost > COST:  # else the arrays are no expressions
                    note_use(*arrays)
                return Array(found, cost)
            made = _whole(function, args, kwargs)
            note_use(*arrays)
            if type(made) is Array and made._tensor is None and made._plain:
                composite.note((function, details, same, under), made._node, nodes)
            return made

        return known  # type: ignore[return-value]

    return mark


def _whole(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function returns, of whose steps none is computed for being a part of two others."""
    token = WITHIN.set(True)
    try:
        return function(*args, **kwargs)
    finally:
        WITHIN.reset(token)


def _details(values: tuple[Any, ...]) -> Hashable | None:
    """The key of a call's other arguments; None where a value may be of anything."""
    given = tuple(map(type, values))
    if given in _TELLING:
        return values, given
    if TELLING.issuperset(given):
        room(_TELLING)[given] = True
        return values, given
    types: list[Any] = [*given]
    for kind, value in zip(given, values, strict=True):
        if kind is tuple:
            inner = _details(value)
            if inner is None:
                return None
            types.append(inner)
        elif (kind in SIGNED and value == 0) or not (kind in PLAIN or isinstance(value, np.dtype)):
            return None
    return values, tuple(types)
