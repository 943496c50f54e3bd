"""NumPy's arrays under a liberty: whatever is computed of them may differ as it says."""

from __future__ import annotations

from typing import Any

import numpy as np

from structarr.formats.entries import Array


class Twin(np.lib.mixins.NDArrayOperatorsMixin):
    """NumPy's array whose operations are followed by `liberty`, which may change the result."""

    __array_priority__ = 1000

    def __init__(self, value: Any, liberty: Liberty) -> None:
        self.value, self.liberty = np.asarray(value), liberty

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.value if dtype is None else self.value.astype(dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        return self._call(ufunc.__name__, getattr(ufunc, method), method, args, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self._call(func.__name__, func, "function", args, kwargs)

    def _call(self, name: str, call: Any, method: str, args: Any, kwargs: Any) -> Any:
        bare, options = _bare(args), _bare(kwargs)
        return self._wrapped(self.liberty.result(name, method, call, bare, options))

    def _wrapped(self, result: Any) -> Any:
        if isinstance(result, tuple | list):
            parts = [self._wrapped(one) for one in result]
            return parts if type(result) is list else tuple(parts)
        if isinstance(result, np.ndarray | np.generic):
            return Twin(result, self.liberty)
        return result

    def __getitem__(self, key: Any) -> Any:
        return Twin(self.value[self.liberty.index(_bare(key))], self.liberty)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.value[_bare(key)] = self.liberty.converted(_bare(value), self.value.dtype)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """The elements in another dtype."""
        value = self.liberty.converted(self.value, np.dtype(dtype))
        return Twin(np.asarray(value).astype(dtype, *args, **kwargs), self.liberty)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self.liberty.listed(self.value) if name == "tolist" else self.value
        found = getattr(value, name)
        if not callable(found):
            return Twin(found, self.liberty) if isinstance(found, np.ndarray) else found
        function = getattr(np, name, None)
        if name in ("copy", "reshape", "transpose", "item") or function is None:
            return lambda *args, **kwargs: self._wrapped(found(*_bare(args), **_bare(kwargs)))
        return lambda *args, **kwargs: function(self, *args, **kwargs)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Any:
        return (self._wrapped(one) for one in self.liberty.listed(self.value))

    def __bool__(self) -> bool:
        return bool(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return self.value.__index__()


def _bare(value: Any) -> Any:
    if isinstance(value, Twin):
        return value.value
    if type(value) in (tuple, list):
        return type(value)(_bare(one) for one in value)
    if type(value) is dict:
        return {key: _bare(one) for key, one in value.items()}
    return value


class Liberty:
    """A way in which results may differ from NumPy's."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """The result of a call of NumPy."""
        raise NotImplementedError

    def converted(self, values: Any, dtype: np.dtype[Any]) -> Any:
        """Values that are to become elements of a dtype."""
        return values

    def listed(self, values: Array) -> Array:
        """Elements that Python takes out, of which NumPy may make other arrays."""
        return values

    def index(self, key: Any) -> Any:
        """An index as NumPy reads it."""
        return key


class Unchanged(Liberty):
    """None: NumPy's results as they are."""

    def result(self, name: str, method: str, call: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's."""
        return call(*args, **kwargs)
