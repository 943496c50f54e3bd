"""The liberties that are documented: in what results may differ from NumPy's, and by how much."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from structarr._testing.fuzz.contracted import arrays_of, contracted, each, with_every_term
from structarr._testing.fuzz.decided import DECIDES, averaged
from structarr._testing.fuzz.functions import (
    ADDS,
    COMPLEX,
    EXACT_FUNCTIONS,
    EXACT_UFUNCS,
    GENERALIZED,
    LINEAR,
    MULTIPLIES,
    SIGNLESS,
    SIGNS,
    VARIANCES,
)
from structarr._testing.fuzz.twins import Liberty
from structarr.formats.entries import Array


class Rounding(Liberty):
    """Floats that are accumulated in another order, and functions with other last bits."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """The result, its terms or itself moved at random."""
        if method in ("__call__", "outer") and name not in GENERALIZED:
            found = call(*args, **kwargs)
            if _is_exact(name, found, args):
                return found
            return each(found, lambda one: self.moved(one, 8.0))
        if method == "function" and name in EXACT_FUNCTIONS:
            found = call(*args, **kwargs)
            rounds = name in COMPLEX and np.asarray(found).dtype.kind == "c"
            return each(found, lambda one: self.moved(one, 8.0)) if rounds else found
        if method != "function" and name in EXACT_UFUNCS - {"add", "multiply", "subtract"}:
            return call(*args, **kwargs)
        found = call(*args, **kwargs)
        if not {np.asarray(one).dtype.kind for one in _listed(found)} & {*"fc"}:
            return found
        count = 8.0 + max((np.size(one) for one in arrays_of(args)), default=0)
        moved = [each(one, lambda part: self.moved(_floating(part), count)) for one in args]
        try:
            again = call(*moved, **kwargs)
        except (TypeError, ValueError):  # an argument that has to be of integers
            again = found
        return _retyped(each(again, lambda one: self.moved(one, 8.0)), found)

    def moved(self, values: Any, units: float) -> Any:
        """Floats moved at random by some rounding units of their dtype, by a quarter at least."""
        array = np.asarray(values)
        if array.dtype.kind not in "fc":
            return values
        size = units * float(np.finfo(array.dtype).eps)
        return (array * (1 + self._random(array, size))).astype(array.dtype)

    def _random(self, array: Array, size: float) -> Array:
        found = self._signed(array.shape, size)
        return found + 1j * self._signed(array.shape, size) if array.dtype.kind == "c" else found

    def _signed(self, shape: tuple[int, ...], size: float) -> Array:
        """Numbers of either sign, none of which is so small that adding it changes nothing."""
        signs = self.rng.choice([-1.0, 1.0], shape)
        return np.asarray(signs * self.rng.uniform(size / 4, size, shape))


class Signless(Liberty):
    """Zeros of one sign."""

    def __init__(self, negative: bool = False) -> None:
        self.negative = negative

    def signless_all(self, found: Any) -> Any:
        """The same of each of several results."""
        return each(found, self.signless)

    def signless(self, values: Any) -> Any:
        """Zeros with one sign, those that are a part of a complex number among them."""
        if not (isinstance(values, np.ndarray | np.generic) and values.dtype.kind in "fc"):
            return values
        found = np.array(values)
        for part in (found.real, found.imag) if found.dtype.kind == "c" else (found,):
            part[part == 0] = -0.0 if self.negative else 0.0
        return found


class Annihilation(Signless):
    """Structural constants that decide alone, and zeros without a sign.

    They decide in every operation, or in one: what is structural in one is stored in another.
    """

    def __init__(self, negative: bool = False, only: int | None = None) -> None:
        super().__init__(negative)
        self.only, self.seen = only, 0

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """The result, as operands of a deciding value decide it, with zeros of one sign."""
        args = tuple(each(one, self.signless) for one in args)
        return self.signless_all(self._decided(name, method, call, args, kwargs))

    def listed(self, values: Array) -> Array:
        """Elements that Python takes out, zeros with one sign."""
        found: Array = self.signless(values)
        return found

    def _decided(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        contracts = (method == "function" and name in LINEAR) or name in GENERALIZED
        decides = method in ("__call__", "outer") and name in DECIDES and len(args) >= 2
        weighs = name == "average" and kwargs.get("weights") is not None
        self.seen += contracts or decides or weighs
        if not (contracts or decides or weighs) or self.only not in (None, self.seen):
            return call(*args, **kwargs)
        if weighs:
            return averaged(call, args, kwargs)
        if contracts:
            return contracted(call, args, kwargs)
        left, right = np.asarray(args[0]), np.asarray(args[1])
        if method == "outer":
            left = left.reshape(left.shape + (1,) * right.ndim)
        return DECIDES[name](left, right, call(*args, **kwargs))


class SignsLost(Signless):
    """Zeros of one sign, where all else is IEEE 754's."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, zeros of one sign."""
        found = call(*args, **kwargs)
        return self.signless_all(found) if name in SIGNLESS else found


class Uint32(Liberty):
    """Floats out of the bounds of uint32, of which loops of NumPy make one number or another."""

    def converted(self, values: Any, dtype: np.dtype[Any]) -> Any:
        """Floats as whole numbers of 64 bits, of which uint32 takes the lower half."""
        array = np.asarray(values)
        if dtype != np.uint32 or array.dtype.kind not in "fc":
            return values
        return array.real.astype(np.int64)

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result; what is rounded to tens may be beyond uint32 on the way."""
        if name not in ("round", "around") or np.asarray(args[0]).dtype != np.uint32:
            return call(*args, **kwargs)
        wide = call(np.asarray(args[0]).astype(np.int64), *args[1:], **kwargs)
        return np.asarray(wide).astype(np.uint32)


class Roots(Liberty):
    """Powers by 0.5 that are square roots, which NumPy's are where one exponent holds for a row."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, the square root where the exponent is a half."""
        found = call(*args, **kwargs)
        if name not in ("power", "float_power", "pow") or np.asarray(found).dtype.kind != "f":
            return found
        base, exponent = (np.asarray(one) for one in args[:2])
        rooted = np.where(exponent == 0.5, np.sqrt(base.astype(found.dtype)), found)
        return rooted.astype(found.dtype)


class EveryTerm(Liberty):
    """Sums of products whose terms all count, where NumPy's BLAS leaves out what meets a zero."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, NaN where a term is."""
        found = call(*args, **kwargs)
        adds = name in GENERALIZED or (method == "function" and name in LINEAR)
        return with_every_term(call, args, kwargs, found) if adds else found


class InfiniteFactors(Liberty):
    """Sums of products that are multiplied by an infinite number term by term: some are zero."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, NaN where a factor is infinite."""
        found = call(*args, **kwargs)
        array = np.asarray(found)
        if name != "multiply" or method != "__call__" or array.dtype.kind not in "fc":
            return found
        infinite = np.isinf(np.asarray(args[0])) | np.isinf(np.asarray(args[1]))
        return np.where(infinite, np.nan, array).astype(array.dtype)


class WiderVariances(Liberty):
    """Variances that are finite where NumPy's overflow, as its means are rounded more."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, computed in as many bits as the machine has."""
        found = call(*args, **kwargs)
        if name not in VARIANCES or np.asarray(args[0]).dtype.kind != "f" or "dtype" in kwargs:
            return found
        wide = call(np.asarray(args[0]).astype(np.longdouble), *args[1:], **kwargs)
        return np.asarray(wide).astype(np.asarray(found).dtype)


class InitialLast(Liberty):
    """Sums and products that take the initial value in the end, after they may have overflown."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result without an initial value, combined with it."""
        initial = kwargs.get("initial")
        adds = name in (("add",) if method == "reduce" else ADDS)
        multiplies = name in (("multiply",) if method == "reduce" else MULTIPLIES)
        if not (adds or multiplies) or not isinstance(initial, (int, float, complex, np.number)):
            return call(*args, **kwargs)
        found = np.asarray(call(*args, **{**kwargs, "initial": 0 if adds else 1}))
        combine = np.add if adds else np.multiply
        return combine(found, found.dtype.type(initial))


class EmptyMasks(Liberty):
    """Empty masks that are none of NumPy's: its own arrays read them as places."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's."""
        return call(*args, **kwargs)

    def index(self, key: Any) -> Any:
        """An index without empty masks."""
        if isinstance(key, tuple):
            return tuple([self.index(one) for one in key])
        empty = isinstance(key, np.ndarray) and key.dtype == bool and not key.size
        return key.astype(np.intp) if empty else key


class Sorting(Liberty):
    """NaNs and large integers that NumPy puts in an order by sorting, which is unstable or rounds.

    NaNs are distinct values, whose order is open; integers that are one float are members of one
    another.
    """

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result without its sorting, or with a stable one."""
        if name == "unique_inverse":
            values, _, inverse = np.unique(
                args[0], return_index=True, return_inverse=True, equal_nan=False
            )
            return values, inverse
        if name != "isin":
            return call(*args, **kwargs)
        element, test = np.asarray(args[0]), np.asarray(args[1])
        found = (element[..., None] == test.ravel()).any(axis=-1)
        inverted = args[3] if len(args) > 3 else kwargs.get("invert", False)
        return ~found if inverted else found


class ComplexInfinities(Liberty):
    """Products of complex numbers that are not finite.

    Libraries scale what they add up by ``1 + 0j`` or do not, and skip zeros or do not.
    """

    VALUES: Final = (0j, complex(np.inf, 0), complex(-np.inf, 0), complex(np.inf, np.nan))

    def __init__(self, value: complex) -> None:
        self.value = value

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, another value where what is multiplied and added up is not finite."""
        found = call(*args, **kwargs)
        if name in GENERALIZED or (name in MULTIPLIES and method in ("function", "reduce")):
            reached = _reached(call, args, kwargs) if np.asarray(found).dtype.kind == "c" else False
            return each(found, lambda one: self._replaced(one, reached))
        return found

    def _replaced(self, values: Any, reached: Any) -> Any:
        array = np.asarray(values)
        if array.dtype.kind != "c":
            return values
        keep = np.isfinite(array) & ~np.asarray(reached)
        return np.where(keep, array, self.value).astype(array.dtype)


class Cancellation(Liberty):
    """Sums that are zero but for rounding, as they are where products are rounded or are not."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result, zero where it is as small as what rounding leaves of its terms."""
        found = call(*args, **kwargs)
        array = np.asarray(found)
        adds = name in LINEAR | GENERALIZED | ADDS or (name == "add" and method != "__call__")
        adds |= name in COMPLEX and array.dtype.kind == "c"
        if not adds or array.dtype.kind not in "fc":
            return found
        terms = np.asarray(call(*each(args, np.abs), **kwargs))
        if terms.shape != array.shape:
            return found
        count = 8.0 + max((np.size(one) for one in arrays_of(args)), default=0)
        least = count * float(np.finfo(array.dtype).eps) * np.abs(terms)
        if array.dtype.kind == "f":
            return np.where(np.abs(array) <= least, 0, array).astype(array.dtype)
        parts = [np.where(np.abs(one) <= least, 0, one) for one in (array.real, array.imag)]
        return (parts[0] + 1j * parts[1]).astype(array.dtype)


class NaNSigns(Liberty):
    """NaNs of one sign, which is the machine's."""

    def __init__(self, negative: bool) -> None:
        self.value = -np.nan if negative else np.nan

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's result for NaNs of the sign, where it is asked for."""
        return call(*(each(args, self._signed) if name in SIGNS else args), **kwargs)

    def _signed(self, values: Any) -> Any:
        array = np.asarray(values)
        if array.dtype.kind != "f":
            return values
        return np.where(np.isnan(array), self.value, array).astype(array.dtype)


def _reached(call: Any, args: Any, kwargs: Any) -> Any:
    """A mask of the elements of a product that have a factor that is not finite."""
    reached = False
    for one in arrays_of(args):

        def marked(array: Any, one: Any = one) -> Any:
            if array is not one:
                return np.ones(array.shape)
            return np.where(np.isfinite(array), 0.0, 1.0)

        reached = reached | (np.asarray(call(*each(args, marked), **kwargs)) != 0)
    return reached


def _is_exact(name: str, found: Any, args: Any) -> bool:
    kinds = {np.asarray(one).dtype.kind for one in _listed(found)}
    if not kinds & {*"fc"}:
        return True
    kinds |= {one.dtype.kind for one in arrays_of(args)}
    return name in EXACT_UFUNCS and ("c" not in kinds or name not in COMPLEX)


def _listed(found: Any) -> Any:
    return found if isinstance(found, tuple | list) else (found,)


def _floating(values: Any) -> Any:
    """Elements as floats, as those of integers are averaged."""
    array = np.asarray(values)
    return array.astype(float) if array.dtype.kind in "biu" else values


def _retyped(value: Any, like: Any) -> Any:
    """Results of the dtypes of others."""
    if isinstance(value, tuple | list):
        return tuple(_retyped(*pair) for pair in zip(value, like, strict=True))
    return np.asarray(value).astype(np.asarray(like).dtype)
