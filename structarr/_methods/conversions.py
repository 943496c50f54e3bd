"""Methods that compute an array, and convert it to other formats and libraries' objects."""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from typing import Any, Literal, Self, TypeAlias

from structarr._execute import compute as _compute
from structarr._methods.dense_elements import DenseElements
from structarr._methods.lists_of_joins import listed
from structarr._scheduler.inputs import index_of, positioned
from structarr._storage.auto_format import choose
from structarr._storage.coordinates import is_listed
from structarr._storage.density import check_density
from structarr._storage.mapped_files import FILES
from structarr._storage.memo import owning
from structarr._storage.tensor import Tensor
from structarr._support.array_types import FormatName, NumPyArray
from structarr._support.caches import MOST, cleared
from structarr._value import WATCHER, is_open, seen, settle, step, stored
from structarr.formats import Format, Layout, Level, parse
from structarr.interop import foreign
from structarr.interop.pandas import to_pandas

Layouts: TypeAlias = Literal["csr", "csc", "coo", "bsr", "dia", "lil", "dok"]

Libraries: TypeAlias = Literal[
    "arrow", "awkward", "graphblas", "jax", "numba", "polars", "pydata_sparse", "torch"
]

Spec: TypeAlias = FormatName | Format | Level | Layout


@cleared
@lru_cache(MOST)
def _is(name: str, format: Format) -> bool:
    """Whether a name means a format, with coordinates as wide as its own."""
    return name.lower() != "auto" and positioned(parse(name, format.ndim), format.index) is format


class Conversions(DenseElements):
    """The methods of arrays that compute them and convert them to other formats and objects."""

    __slots__ = ()

    def compute(self) -> Self:
        """
        Compute the value now, once.

        Returns
        -------
        Array
            The array itself, computed, in its format; later uses take no time.

        Raises
        ------
        DensificationError
            If the result is dense, nobody asked for that, and it is larger than the option
            `densify_limit`.

        See Also
        --------
        structarr.compute : Several arrays, in one pass.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([1, 2]) * 2
        >>> a.compute() is a
        True
        """
        if self._tensor is None or FILES or WATCHER.get() is not None:
            settle(self)
        return self

    def asformat(self, format: Spec) -> Self:
        """
        Return the array in another format, converted at the call; always a new array.

        Parameters
        ----------
        format : str, Level, Format or Layout
            A name, such as "csr", or a tree of levels; "auto" stands for the format that takes
            the fewest bytes. Coordinates are as wide as this array's, unless a Format tells.

        Returns
        -------
        Array
            Computed, in the format; it takes time in proportion to what both formats store.

        Raises
        ------
        FormatError
            If there is no such format for so many axes, or the elements do not fit into it; the
            message names the first that does not.

        See Also
        --------
        structarr.formats.names_for : The names that there are.
        structarr.explain : The bytes that an array takes in each format.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0, 0, 3, 3], [0, 0, 0, 4]]).asformat("auto")
        <structarr.Array shape=(2, 4) dtype=int64 format=interval nstored=2 fill=0
          .  .  3  3
          .  .  .  4>
        """
        if (
            isinstance(format, str)
            and self._tensor is not None
            and _is(format, self._tensor.format)
        ):
            return self._twin()
        auto = isinstance(format, str) and format.lower() == "auto"
        asked = choose(stored(self)).format if auto else parse(format, self.ndim)
        exact = auto or isinstance(format, Format)  # with a width of its own
        if not exact:
            asked = positioned(asked, index_of(self._node))
        if self._tensor is not None and self._tensor.format is asked:
            return self._twin()
        if is_open(self):
            return step(lambda one: one.asformat(format), self)  # type: ignore[no-any-return]
        made = _compute.in_format(self._node, asked, widens=not exact)
        return self._of(made if self._tensor is None else owning(made, self._tensor))

    def to_scipy(self, layout: Layouts | None = None) -> Any:
        """
        Return a scipy.sparse array; read-only where it shares buffers with this one.

        Parameters
        ----------
        layout : {"csr", "csc", "coo", "bsr", "dia", "lil", "dok"}, optional
            SciPy's format; None stands for the nearest to that of the array.

        Returns
        -------
        scipy.sparse.sparray
            Of one axis or two; for "coo" of any number. Arrays side by side are listed part by
            part: the whole may be dense, and is not formed.

        Raises
        ------
        FormatError
            If there is no such layout for so many axes, or the fill value is not 0.

        See Also
        --------
        structarr.asarray : The way back.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([[0.0, 2.0], [0.0, 0.0]], format="csr").to_scipy().nnz
        1
        """
        from structarr.interop.scipy import to_scipy  # SciPy takes 0.2 s to import

        lists = listed(self, "csc" if layout == "csc" else "csr")
        return to_scipy(seen(self) if lists is None else lists, layout)

    def to_pandas(self, index: Any = None, columns: Any = None, sparse: bool | None = None) -> Any:
        """
        Return a Series of an array of one axis, a DataFrame of one of two.

        Parameters
        ----------
        index, columns : index-like, optional
            The labels, which an array does not keep; for one axis, `columns` is the name.
        sparse : bool, optional
            Whether the columns are sparse, with the array's fill value, and of blocks if its
            format is. None makes them so if the format is sparse; with True other formats are
            converted to "csc" first.

        Returns
        -------
        pandas.Series or pandas.DataFrame
            Sparse columns store what the array stores.

        Raises
        ------
        FormatError
            If there are neither one axis nor two.

        See Also
        --------
        structarr.from_pandas : The way back.

        Examples
        --------
        >>> import structarr as sa
        >>> a = sa.asarray([[0.0, 2.0], [3.0, 0.0]], format="csr")
        >>> a.to_pandas(columns=["x", "y"]).dtypes.tolist()
        [Sparse[float64, 0.0], Sparse[float64, 0.0]]
        """
        tensor = seen(self)
        if sparse is None:
            sparse = is_listed(tensor)
            if not sparse:
                check_density(tensor)
        if sparse and not is_listed(tensor):
            # Elements equal to the fill are left out.
            tensor = stored(self.asformat("list" if self.ndim == 1 else "csc"))
        return to_pandas(tensor, index, columns, sparse=sparse)

    def to(self, library: Libraries, /, layout: str | None = None) -> Any:
        """
        Return an object of another library, of shared buffers where the layouts agree.

        Parameters
        ----------
        library : str
            "arrow", "awkward", "graphblas", "jax", "numba", "polars", "pydata_sparse" or "torch";
            for Numba a named tuple of the shape and the buffers.
        layout : str, optional
            One of the library's; None stands for the nearest to the array's format.

        Returns
        -------
        object
            Of that library.

        Raises
        ------
        FormatError
            If there is no such library or layout, or it has no place for the array.
        ImportError
            If the library is not installed.

        See Also
        --------
        structarr.asarray : The way back.
        Array.to_scipy : Arrays of SciPy.
        Array.to_pandas : Frames of pandas.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).to("tensorflow")
        Traceback (most recent call last):
        structarr.errors.FormatError: there is no way to 'tensorflow'; .to() makes arrow, ...
        """
        return foreign.made(library, self._as_stored, layout)

    def _as_stored(self, format: str | Format | None) -> Tensor:
        """The array in a format, for those who hand its buffers on."""
        return stored(self if format is None else self.asformat(format))  # type: ignore[arg-type]

    def __binsparse_descriptor__(self) -> dict[str, Any]:
        """What `binsparse <https://graphblas.org/binsparse-specification>`_ says of the array."""
        return {"binsparse": self.__binsparse__()[0]}

    def __binsparse__(self) -> tuple[dict[str, Any], list[NumPyArray]]:
        """The array's description, and its buffers in the order of the description's data types."""
        from structarr.interop.binsparse import descriptor_of

        told, buffers = descriptor_of(seen(self))
        return told, [buffers[name] for name in told["data_types"]]

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.to("arrow").__arrow_c_array__(requested_schema)

    def copy(self) -> Self:
        """
        Return an array of the same value that shares no buffer with any other.

        Returns
        -------
        Array
            Computed, in the same format; it takes time in proportion to what is stored.

        See Also
        --------
        structarr.copy : The same as a function.

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).copy().tolist()
        [1, 2]
        """
        return self._twin() if is_open(self) else self._of(deepcopy(seen(self)))

    def to_device(self, device: str, /, *, stream: None = None) -> Self:
        """
        Return the array itself: there is one device, "cpu".

        Parameters
        ----------
        device : {"cpu"}
            Device of the array; there is one.
        stream : None, optional
            The CPU has none.

        Returns
        -------
        Array
            The array itself, in its format.

        Raises
        ------
        ValueError
            If there is no such device, or a stream is given.

        See Also
        --------
        Array.device : Always "cpu".

        Examples
        --------
        >>> import structarr as sa
        >>> sa.asarray([1, 2]).to_device("cpu").device
        'cpu'
        """
        if device != "cpu":
            raise ValueError(f'there is no device {device!r}; use "cpu"')
        if stream is not None:
            raise ValueError("stream must be None: the CPU has none")
        return self
