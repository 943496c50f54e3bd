"""Calls: the arrays among their arguments, and the key of what a trace depends on besides."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from structarr._api.jit.arguments import number_of, positions, static_key, tensor_of
from structarr._api.jit.containers import built, flattened
from structarr._api.jit.joined import is_same
from structarr._api.jit.numbers import VARYING
from structarr._api.jit.refusals import changed
from structarr._api.jit.states import scalar_key
from structarr._execute.lengths import pattern_of
from structarr._lazy import structure
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
    numbers : dict of int to number
        Those among the arguments, by their places among all.
    objects : list
        Those among the arguments that may change, and functions.
    key : tuple
        What a trace of the call depends on beside the values of numbers.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        static: frozenset[str],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> None:
        names = positions(function) if static else {}
        fixed = {str(k): args[k] for k in range(len(args)) if names.get(k) in static}
        fixed |= {name: kwargs[name] for name in kwargs if name in static}
        left: list[Any] = []
        varying = (
            [one for place, one in enumerate(args) if str(place) not in fixed],
            {name: one for name, one in kwargs.items() if name not in fixed},
        )
        self._count, self._fixed, self._function = len(args), fixed, function
        self._tree = flattened(varying, left, joined=True)
        self._structures: dict[int, int] = {}  # of the arrays, by their places in the key
        self.given: list[Tensor] = []
        self.written: list[bool] = []
        self._leaves: list[Any] = []  # of an array its place, in a list
        self.numbers: dict[int, Any] = {}
        self.objects = [one for one in fixed.values() if callable(one)]
        key: list[Hashable] = [
            self._tree,
            tuple([(name, type(one), one) for name, one in fixed.items()]),
        ]
        for place, leaf in enumerate(left):
            tensor = tensor_of(leaf)
            if tensor is None:
                one = leaf[()] if isinstance(leaf, np.ndarray) else leaf
                if type(one) in VARYING:
                    self.numbers[place] = one
                    key.append(str(type(one)))
                else:
                    found = static_key(one)
                    if found is None:  # known by identity, and kept with the trace
                        self.objects.append(one)
                        found = "object", id(one)
                    key.append(found)
                self._leaves.append((one,))
                continue
            if tensor in self.given:  # the same array again, of which the plan may know
                place = self.given.index(tensor)
                key.append(("again", place))
                self._leaves.append([place])
                continue
            self._structures[len(key)] = number_of(tensor)
            key.append((number_of(tensor), type(leaf)))
            self._leaves.append([len(self.given)])
            self.given.append(tensor)
            self.written.append(isinstance(leaf, np.ndarray))
        self.key = tuple(key)

    @property
    def general_key(self) -> Hashable:
        """The key that calls share which differ in the lengths of arrays; None where none may."""
        key: list[Any] = [*self.key]
        for place, number in self._structures.items():
            general = structure.general_of(number)
            if general == structure.NONE:
                return None
            key[place] = general, key[place][1]
        return tuple(key), pattern_of(tuple(self.given))

    def fixed_key(self, places: Iterable[int]) -> tuple[Hashable, ...]:
        """The key of numbers whose values a trace depends on."""
        return self.key, *[scalar_key(self.numbers[place]) for place in sorted(places)]

    def run(self, arrays: Sequence[Any], numbers: Mapping[int, Any] = MappingProxyType({})) -> Any:
        """Call the function with others in the places of the arrays and numbers.

        Raises
        ------
        TraceError
            If it changes a container among its arguments.
        """
        leaves = [
            arrays[one[0]] if type(one) is list else numbers.get(place, one[0])
            for place, one in enumerate(self._leaves)
        ]
        places, names = built(self._tree, leaves)
        rest: Iterator[Any] = iter(places)
        fixed = dict(self._fixed)
        order = [str(place) for place in range(self._count)]
        args = [fixed.pop(place) if place in fixed else next(rest) for place in order]
        found = self._function(*args, **names, **fixed)
        left: list[Any] = []
        same = flattened((places, names), left, joined=True) == self._tree
        if not same or not all(map(is_same, left, leaves)):
            raise changed(self._function)
        return found
