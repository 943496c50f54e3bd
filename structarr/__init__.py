"""NumPy for arrays with structure: the array API's namespace and a few names beyond it."""

import sys as _sys
import typing as _typing
from importlib import import_module as _import_module

import numpy as _numpy

from structarr._support import import_time as _import_time

# isort: split

from structarr import errors as errors, formats as formats
from structarr._api.creation.constants import (
    e as e,
    inf as inf,
    nan as nan,
    newaxis as newaxis,
    pi as pi,
)
from structarr._api.creation.creation import (
    asarray as asarray,
    astype as astype,
    from_dlpack as from_dlpack,
)
from structarr._api.elementwise.dtypes import (
    bool as bool,
    can_cast as can_cast,
    complex64 as complex64,
    complex128 as complex128,
    finfo as finfo,
    float32 as float32,
    float64 as float64,
    iinfo as iinfo,
    int8 as int8,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    iscomplexobj as iscomplexobj,
    isdtype as isdtype,
    isrealobj as isrealobj,
    result_type as result_type,
    uint8 as uint8,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
)
from structarr._api.elementwise.elementwise import (
    abs as abs,
    absolute as absolute,
    acos as acos,
    acosh as acosh,
    add as add,
    arccos as arccos,
    arccosh as arccosh,
    arcsin as arcsin,
    arcsinh as arcsinh,
    arctan as arctan,
    arctan2 as arctan2,
    arctanh as arctanh,
    asin as asin,
    asinh as asinh,
    atan as atan,
    atan2 as atan2,
    atanh as atanh,
    bitwise_and as bitwise_and,
    bitwise_count as bitwise_count,
    bitwise_invert as bitwise_invert,
    bitwise_left_shift as bitwise_left_shift,
    bitwise_not as bitwise_not,
    bitwise_or as bitwise_or,
    bitwise_right_shift as bitwise_right_shift,
    bitwise_xor as bitwise_xor,
    cbrt as cbrt,
    ceil as ceil,
    conj as conj,
    conjugate as conjugate,
    copysign as copysign,
    cos as cos,
    cosh as cosh,
    deg2rad as deg2rad,
    degrees as degrees,
    divide as divide,
    equal as equal,
    exp as exp,
    exp2 as exp2,
    expm1 as expm1,
    fabs as fabs,
    float_power as float_power,
    floor as floor,
    floor_divide as floor_divide,
    fmax as fmax,
    fmin as fmin,
    fmod as fmod,
    gcd as gcd,
    greater as greater,
    greater_equal as greater_equal,
    heaviside as heaviside,
    hypot as hypot,
    imag as imag,
    invert as invert,
    isfinite as isfinite,
    isinf as isinf,
    isnan as isnan,
    lcm as lcm,
    ldexp as ldexp,
    left_shift as left_shift,
    less as less,
    less_equal as less_equal,
    log as log,
    log1p as log1p,
    log2 as log2,
    log10 as log10,
    logaddexp as logaddexp,
    logaddexp2 as logaddexp2,
    logical_and as logical_and,
    logical_not as logical_not,
    logical_or as logical_or,
    logical_xor as logical_xor,
    maximum as maximum,
    minimum as minimum,
    mod as mod,
    multiply as multiply,
    negative as negative,
    nextafter as nextafter,
    not_equal as not_equal,
    positive as positive,
    pow as pow,
    power as power,
    rad2deg as rad2deg,
    radians as radians,
    real as real,
    reciprocal as reciprocal,
    remainder as remainder,
    right_shift as right_shift,
    rint as rint,
    sign as sign,
    signbit as signbit,
    sin as sin,
    sinh as sinh,
    spacing as spacing,
    sqrt as sqrt,
    square as square,
    subtract as subtract,
    tan as tan,
    tanh as tanh,
    true_divide as true_divide,
    trunc as trunc,
)
from structarr._api.elementwise.info import (
    __array_api_version__ as __array_api_version__,
    __array_namespace_info__ as __array_namespace_info__,
    __version__ as __version__,
)
from structarr._api.linalg.linalg import (
    dot as dot,
    inner as inner,
    matmul as matmul,
    matvec as matvec,
    outer as outer,
    tensordot as tensordot,
    vdot as vdot,
    vecdot as vecdot,
    vecmat as vecmat,
)
from structarr._api.reductions.reductions import (
    all as all,
    any as any,
    count_nonzero as count_nonzero,
    max as max,
    min as min,
    prod as prod,
    sum as sum,
)
from structarr._array import Array as Array
from structarr._compiler.options import options as options, set_options as set_options
from structarr._homes import HOMES as _HOMES
from structarr._support.caches import clear_cache as clear_cache
from structarr._support.hints import FUNCTIONS as _FUNCTIONS
from structarr._support.meant import meant as _meant
from structarr._support.numpys_own import NAMES as _NUMPYS_OWN
from structarr._support.on_demand import homes as _homes, on_demand as _on_demand

if _typing.TYPE_CHECKING:
    from structarr import (
        cin as cin,
        csgraph as csgraph,
        dask as dask,
        fft as fft,
        lib as lib,
        linalg as linalg,
        looplets as looplets,
        masks as masks,
        ndimage as ndimage,
        protocols as protocols,
        rules as rules,
        semirings as semirings,
        targets as targets,
    )
    from structarr._api.composed.choosing import (
        choose as choose,
        piecewise as piecewise,
        select as select,
    )
    from structarr._api.composed.dense_functions import (
        apply_along_axis as apply_along_axis,
        frexp as frexp,
        geomspace as geomspace,
        i0 as i0,
        logspace as logspace,
        sort_complex as sort_complex,
        unwrap as unwrap,
    )
    from structarr._api.composed.index_grids import (
        diag_indices_from as diag_indices_from,
        ix_ as ix_,
        ravel_multi_index as ravel_multi_index,
        tril_indices_from as tril_indices_from,
        triu_indices_from as triu_indices_from,
        unravel_index as unravel_index,
    )
    from structarr._api.composed.numpy_names import (
        array as array,
        bartlett as bartlett,
        blackman as blackman,
        diag_indices as diag_indices,
        frombuffer as frombuffer,
        fromfile as fromfile,
        fromfunction as fromfunction,
        fromiter as fromiter,
        fromstring as fromstring,
        genfromtxt as genfromtxt,
        hamming as hamming,
        hanning as hanning,
        identity as identity,
        indices as indices,
        kaiser as kaiser,
        loadtxt as loadtxt,
        mask_indices as mask_indices,
        transpose as transpose,
        tril_indices as tril_indices,
        triu_indices as triu_indices,
    )
    from structarr._api.composed.polynomials import (
        poly as poly,
        polyadd as polyadd,
        polyder as polyder,
        polydiv as polydiv,
        polyfit as polyfit,
        polyint as polyint,
        polymul as polymul,
        polysub as polysub,
        roots as roots,
        vander as vander,
    )
    from structarr._api.composed.predicates import (
        array_equiv as array_equiv,
        common_type as common_type,
        einsum_path as einsum_path,
        iscomplex as iscomplex,
        isneginf as isneginf,
        isposinf as isposinf,
        isreal as isreal,
        min_scalar_type as min_scalar_type,
        real_if_close as real_if_close,
    )
    from structarr._api.composed.special import (
        apply_over_axes as apply_over_axes,
        diagflat as diagflat,
        modf as modf,
        polyval as polyval,
        ptp as ptp,
        resize as resize,
        rollaxis as rollaxis,
        sinc as sinc,
    )
    from structarr._api.composed.text import (
        array2string as array2string,
        array_repr as array_repr,
        array_str as array_str,
        savetxt as savetxt,
        savez as savez,
        savez_compressed as savez_compressed,
    )
    from structarr._api.creation.coordinates import from_coordinates as from_coordinates
    from structarr._api.creation.design import from_frame as from_frame
    from structarr._api.creation.diagonals import (
        diag as diag,
        diagonal as diagonal,
        diags as diags,
        eye as eye,
    )
    from structarr._api.creation.files import load as load, save as save
    from structarr._api.creation.foreign_files import read as read, write as write
    from structarr._api.creation.frames import from_pandas as from_pandas
    from structarr._api.creation.full import (
        empty as empty,
        empty_like as empty_like,
        full as full,
        full_like as full_like,
        ones as ones,
        ones_like as ones_like,
        zeros as zeros,
        zeros_like as zeros_like,
    )
    from structarr._api.creation.one_hot import one_hot as one_hot
    from structarr._api.creation.ragged_rows import from_ragged as from_ragged
    from structarr._api.creation.ranges import arange as arange, linspace as linspace
    from structarr._api.creation.stored_region import stored as stored
    from structarr._api.creation.triangular import tri as tri, tril as tril, triu as triu
    from structarr._api.creation.with_fill import with_fill as with_fill
    from structarr._api.elementwise.combined import (
        angle as angle,
        clip as clip,
        divmod as divmod,
        fix as fix,
        nan_to_num as nan_to_num,
        round as around,  # noqa: F401
        round as round,
        where as where,
    )
    from structarr._api.indexing.block_diagonals import block_diag as block_diag
    from structarr._api.indexing.finding import find as find
    from structarr._api.indexing.inserting import (
        append as append,
        delete as delete,
        insert as insert,
        repeat as repeat,
    )
    from structarr._api.indexing.padding import pad as pad
    from structarr._api.indexing.selecting import (
        argwhere as argwhere,
        compress as compress,
        extract as extract,
        flatnonzero as flatnonzero,
        nonzero as nonzero,
        put_along_axis as put_along_axis,
        take as take,
        take_along_axis as take_along_axis,
        trim_zeros as trim_zeros,
    )
    from structarr._api.jit.jit import jit as jit
    from structarr._api.linalg.covariance import corrcoef as corrcoef, cov as cov
    from structarr._api.linalg.einsum import einsum as einsum
    from structarr._api.linalg.kron import kron as kron
    from structarr._api.linalg.matrices import cross as cross, trace as trace
    from structarr._api.linalg.semirings import Semiring as Semiring, semiring as semiring
    from structarr._api.programs.common_kernels import warm as warm
    from structarr._api.programs.define_operator import operator as operator
    from structarr._api.programs.evaluate import compute as compute
    from structarr._api.programs.explaining import explain as explain
    from structarr._api.programs.index_modifiers import (
        coalesce as coalesce,
        missing as missing,
        offset as offset,
        permit as permit,
        window as window,
    )
    from structarr._api.programs.loops import kernel as kernel, loops as loops
    from structarr._api.programs.operators import Operator as Operator
    from structarr._api.programs.over_runs import (
        runs as runs,
        trailing_zeros as trailing_zeros,
    )
    from structarr._api.programs.profiling import profile as profile
    from structarr._api.programs.reading import gallop as gallop, locate as locate, walk as walk
    from structarr._api.programs.spying import spy as spy
    from structarr._api.programs.versions import show_versions as show_versions
    from structarr._api.programs.warming import warmup as warmup
    from structarr._api.reductions.averages import (
        average as average,
        mean as mean,
        std as std,
        var as var,
    )
    from structarr._api.reductions.calculus import gradient as gradient, trapezoid as trapezoid
    from structarr._api.reductions.comparisons import (
        allclose as allclose,
        array_equal as array_equal,
        isclose as isclose,
    )
    from structarr._api.reductions.nans import (
        nanmax as nanmax,
        nanmean as nanmean,
        nanmin as nanmin,
        nanprod as nanprod,
        nanstd as nanstd,
        nansum as nansum,
        nanvar as nanvar,
    )
    from structarr._api.reductions.quantiles import (
        median as median,
        nanmedian as nanmedian,
        nanpercentile as nanpercentile,
        nanquantile as nanquantile,
        percentile as percentile,
        quantile as quantile,
    )
    from structarr._api.reductions.reduce import reduce as reduce
    from structarr._api.reductions.scans import (
        cumprod as cumprod,
        cumsum as cumsum,
        cumulative_prod as cumulative_prod,
        cumulative_sum as cumulative_sum,
        nancumprod as nancumprod,
        nancumsum as nancumsum,
    )
    from structarr._api.reductions.searching import (
        argmax as argmax,
        argmin as argmin,
        nanargmax as nanargmax,
        nanargmin as nanargmin,
    )
    from structarr._api.sets.counting import bincount as bincount
    from structarr._api.sets.histograms import (
        histogram as histogram,
        histogram2d as histogram2d,
        histogram_bin_edges as histogram_bin_edges,
        histogramdd as histogramdd,
    )
    from structarr._api.sets.interpolation import interp as interp
    from structarr._api.sets.membership import (
        digitize as digitize,
        isin as isin,
        searchsorted as searchsorted,
    )
    from structarr._api.sets.sets import (
        intersect1d as intersect1d,
        setdiff1d as setdiff1d,
        setxor1d as setxor1d,
        union1d as union1d,
        unique as unique,
        unique_all as unique_all,
        unique_counts as unique_counts,
        unique_inverse as unique_inverse,
        unique_values as unique_values,
    )
    from structarr._api.sets.sorting import (
        argpartition as argpartition,
        argsort as argsort,
        lexsort as lexsort,
        partition as partition,
        sort as sort,
    )
    from structarr._api.shape.inspection import (
        copy as copy,
        may_share_memory as may_share_memory,
        ndim as ndim,
        shape as shape,
        shares_memory as shares_memory,
        size as size,
    )
    from structarr._api.shape.joining import (
        block as block,
        column_stack as column_stack,
        concat as concat,
        concatenate as concatenate,
        dstack as dstack,
        hstack as hstack,
        stack as stack,
        vstack as vstack,
    )
    from structarr._api.shape.manipulation import (
        atleast_1d as atleast_1d,
        atleast_2d as atleast_2d,
        atleast_3d as atleast_3d,
        broadcast_arrays as broadcast_arrays,
        broadcast_shapes as broadcast_shapes,
        broadcast_to as broadcast_to,
        expand_dims as expand_dims,
        matrix_transpose as matrix_transpose,
        moveaxis as moveaxis,
        permute_dims as permute_dims,
        squeeze as squeeze,
        swapaxes as swapaxes,
    )
    from structarr._api.shape.reshaping import (
        meshgrid as meshgrid,
        ravel as ravel,
        reshape as reshape,
    )
    from structarr._api.shape.shifting import (
        diff as diff,
        ediff1d as ediff1d,
        flip as flip,
        fliplr as fliplr,
        flipud as flipud,
        roll as roll,
        rot90 as rot90,
        tile as tile,
    )
    from structarr._api.shape.splitting import (
        array_split as array_split,
        dsplit as dsplit,
        hsplit as hsplit,
        split as split,
        unstack as unstack,
        vsplit as vsplit,
    )
    from structarr._api.signal.convolution import convolve as convolve, correlate as correlate

_MODULES = ("cin", "fft", "linalg", "looplets", "ndimage", "protocols", "rules", "semirings")
_RARER = ("csgraph", "lib", "masks", "targets", "testing")
_NEIGHBOURS = ("dask",)  # modules that need packages which may not be there
_PLACES = _homes("structarr._api", _HOMES)

amax, amin = max, min
asanyarray, ascontiguousarray, asfortranarray = asarray, asarray, asarray

if not _typing.TYPE_CHECKING:  # for type checkers, every name would be there
    _get, _ = _on_demand(__name__, _PLACES)

    def __getattr__(name: str) -> _typing.Any:
        if name in _PLACES:
            return _get(name)
        if name in (*_MODULES, *_RARER, *_NEIGHBOURS):
            try:
                return _import_module(f"structarr.{name}")
            except ModuleNotFoundError as missing:
                told = f"structarr.{name} needs {missing.name}: pip install 'structarr[{name}]'"
                raise ModuleNotFoundError(told, name=missing.name) from None
        if name in _NUMPYS_OWN:
            return getattr(_numpy, name)
        known = [one for one in __dir__() if not one.startswith("_")]
        guess = _FUNCTIONS.get(name) or _meant(name, known).removesuffix("; ")
        raise AttributeError(
            f"module 'structarr' has no attribute {name!r}" + (f"; {guess}" if guess else "")
        )


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_RARER, *_PLACES, *_NUMPYS_OWN})


__all__ = [name for name in {*globals(), *_MODULES, *_PLACES} if not name.startswith("_")]


if "dask" in _sys.modules:
    _import_module("structarr._dask.registration").join()

_import_time.end()
