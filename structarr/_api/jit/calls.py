"""Calls: the arrays among their arguments, and the key of what a trace depends on besides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from structarr._api.jit.arguments import number_of, positions, static_key, tensor_of
from structarr._api.jit.containers import built, flattened
from structarr._api.jit.refusals import changed
from structarr._storage.tensor import Tensor


class Call:
    """
    A call of a function.

    Attributes
    ----------
    given : list of Tensor
        The values of the arrays among the arguments.
    written : list of bool
        Which of them the caller may write to by other means.
    key : tuple
        What a trace of the call depends on.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        static: frozenset[str],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        names = positions(function) if static else {}
        fixed = {k: args[k] for k in range(len(args)) if names.get(k) in static}
        fixed |= {name: kwargs[name] for name in kwargs if name in static}
        left: list[Any] = []
        varying = (
            [one for place, one in enumerate(args) if place not in fixed],
            {name: one for name, one in kwargs.items() if name not in fixed},
        )
        self._count, self._fixed, self._function = len(args), fixed, function
        self._tree = flattened(varying, left)
        self.given: list[Tensor] = []
        self.written: list[bool] = []
        self._leaves: list[Any] = []  # of an array its place, in a list
        key: list[Hashable] = [self._tree, tuple(fixed.items())]
        for leaf in left:
            tensor = tensor_of(leaf)
            if tensor is None:
                key.append(static_key(leaf, function.__name__))
                self._leaves.append((leaf,))
                continue
            key.append((number_of(tensor), type(leaf)))
            self._leaves.append([len(self.given)])
            self.given.append(tensor)
            self.written.append(isinstance(leaf, np.ndarray))
        self.key = tuple(key)

    def run(self, arrays: Sequence[Any]) -> Any:
        """Call the function with arrays in the places of those among the arguments.

        Raises
        ------
        TraceError
            If it changes a container among its arguments.
        """
        leaves = [arrays[one[0]] if type(one) is list else one[0] for one in self._leaves]
        places, names = built(self._tree, leaves)
        rest: Iterator[Any] = iter(places)
        args = [self._fixed[k] if k in self._fixed else next(rest) for k in range(self._count)]
        named = {name: one for name, one in self._fixed.items() if isinstance(name, str)}
        found = self._function(*args, **names, **named)
        left: list[Any] = []
        same = flattened((places, names), left) == self._tree
        if not same or any(one is not own for one, own in zip(left, leaves, strict=True)):
            raise changed(self._function)
        return found
