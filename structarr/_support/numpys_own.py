"""Names of NumPy's that are in no way about its arrays, or about no arrays at all.

The package has them as they are, so that a program may write one namespace for everything.
"""

from __future__ import annotations

from typing import Final

NAMES: Final = frozenset(
    {
        # Dtypes, their kinds, and facts of them.
        *("bool_", "byte", "cdouble", "csingle", "double", "int_", "intc", "intp", "long"),
        *("longlong", "short", "single", "ubyte", "uint", "uintc", "uintp", "ulong", "ulonglong"),
        *("ushort", "complexfloating", "floating", "generic", "inexact", "integer", "number"),
        *("signedinteger", "unsignedinteger", "dtype", "dtypes", "promote_types", "issubdtype"),
        *("mintypecode", "sctypeDict", "ScalarType", "typecodes", "typename", "True_", "False_"),
        # Scalars, indices and loops over them.
        *("euler_gamma", "isscalar", "iterable", "ndindex", "index_exp", "s_", "little_endian"),
        *("c_", "r_", "mgrid", "ogrid", "base_repr", "binary_repr", "format_float_positional"),
        *("format_float_scientific", "get_printoptions", "printoptions", "set_printoptions"),
        # What NumPy does about errors.
        *("errstate", "exceptions", "geterr", "geterrcall", "seterr", "seterrcall"),
        "ndarray",
    }
)
"""Each is the very object of NumPy's; those of indices and grids are NumPy's arrays."""

_DATES = "dates are not stored: keep them as int64, by .view"
_TEXT = "text is not stored: store codes, as numpy.unique(x, return_inverse=True) gives"
_WIDE = "not stored: there are float32, float64, complex64 and complex128"
_MATRIX = "NumPy advises against it: arrays of two axes are matrices"
_RECORDS = "records are not stored: store each field as an array of its own"
_BUFFERS = "it walks through memory, which a structured array has no one block of: iterate over it"
_BUILD = "it is about NumPy itself"
_CALLS = "it calls Python for each element: declare the function by structarr.operator"
_WRITES = "it writes into its first argument: assign by a[key] = values"
_POLYNOMIALS = "coefficients are few: use NumPy's; polyval and its kin take our arrays"

ABSENT: Final = {
    **dict.fromkeys(("busday_count", "busday_offset", "busdaycalendar", "is_busday"), _DATES),
    **dict.fromkeys(("datetime64", "datetime_as_string", "datetime_data", "isnat"), _DATES),
    "timedelta64": _DATES,
    **dict.fromkeys(("bytes_", "char", "character", "str_", "strings", "flexible"), _TEXT),
    **dict.fromkeys(("clongdouble", "complex256", "float128", "longdouble"), _WIDE),
    **dict.fromkeys(("float16", "half"), "not stored: use float32"),
    **dict.fromkeys(("asmatrix", "bmat", "matrix"), _MATRIX),
    **dict.fromkeys(("object_", "void", "rec", "recarray", "record"), _RECORDS),
    **dict.fromkeys(("broadcast", "flatiter", "ndenumerate", "nditer", "nested_iters"), _BUFFERS),
    **dict.fromkeys(("isfortran", "require", "getbufsize", "setbufsize"), _BUFFERS),
    **dict.fromkeys(("packbits", "unpackbits"), 'use format="packbits", or a.todense()'),
    **dict.fromkeys(("core", "ctypeslib", "f2py", "get_include", "info", "test", "typing"), _BUILD),
    **dict.fromkeys(("show_config", "show_runtime"), "use structarr.show_versions"),
    **dict.fromkeys(("frompyfunc", "ufunc", "vectorize"), _CALLS),
    **dict.fromkeys(("copyto", "fill_diagonal", "place", "put", "putmask"), _WRITES),
    **dict.fromkeys(("emath", "poly1d", "polynomial"), _POLYNOMIALS),
    "asarray_chkfinite": "use asarray, and isfinite(a).all()",
    "fromregex": "use numpy.fromregex, and asarray of each field",
    "ma": "masks are not stored: a fill of NaN stands for what is missing",
    "memmap": "use load(path, mmap=True), or asarray of a numpy.memmap",
    "random": "use asarray(numpy.random.default_rng().random(...), format=...), or SciPy's",
    "row_stack": "use vstack",
}
"""Public names of NumPy's that the package has not, and why, or what to use."""
