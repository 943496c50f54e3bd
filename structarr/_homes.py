"""Where the public names are that many programs do without: in modules of `structarr._api`."""

from __future__ import annotations

from typing import Final

HOMES: Final = {
    "composed.choosing": "choose piecewise select",
    "composed.dense_functions": "apply_along_axis frexp geomspace i0 logspace sort_complex unwrap",
    "composed.index_grids": (
        "diag_indices_from ix_ ravel_multi_index tril_indices_from triu_indices_from unravel_index"
    ),
    "composed.numpy_names": (
        "array bartlett blackman diag_indices frombuffer fromfile fromfunction fromiter "
        "fromstring genfromtxt hamming hanning identity indices kaiser loadtxt mask_indices "
        "transpose tril_indices triu_indices"
    ),
    "composed.polynomials": (
        "poly polyadd polyder polydiv polyfit polyint polymul polysub roots vander"
    ),
    "composed.predicates": (
        "array_equiv common_type einsum_path iscomplex isneginf isposinf isreal min_scalar_type "
        "real_if_close"
    ),
    "composed.special": "apply_over_axes diagflat modf polyval ptp resize rollaxis sinc",
    "composed.text": "array2string array_repr array_str savetxt savez savez_compressed",
    "creation.coordinates": "from_coordinates",
    "creation.design": "from_frame",
    "creation.diagonals": "diag diagonal diags eye",
    "creation.files": "load save",
    "creation.foreign_files": "read write",
    "creation.frames": "from_pandas",
    "creation.full": "empty empty_like full full_like ones ones_like zeros zeros_like",
    "creation.one_hot": "one_hot",
    "creation.ragged_rows": "from_ragged",
    "creation.ranges": "arange linspace",
    "creation.stored_region": "stored",
    "creation.triangular": "tri tril triu",
    "creation.with_fill": "with_fill",
    "elementwise.combined": "angle clip divmod fix nan_to_num round around=round where",
    "indexing.block_diagonals": "block_diag",
    "indexing.finding": "find",
    "indexing.inserting": "append delete insert repeat",
    "indexing.padding": "pad",
    "indexing.selecting": (
        "argwhere compress extract flatnonzero nonzero put_along_axis take take_along_axis "
        "trim_zeros"
    ),
    "jit.jit": "jit",
    "linalg.covariance": "corrcoef cov",
    "linalg.einsum": "einsum",
    "linalg.kron": "kron",
    "linalg.matrices": "cross trace",
    "linalg.semirings": "Semiring semiring",
    "programs.common_kernels": "warm",
    "programs.define_operator": "operator",
    "programs.evaluate": "compute",
    "programs.explaining": "explain",
    "programs.index_modifiers": "coalesce missing offset permit window",
    "programs.loops": "kernel loops",
    "programs.operators": "Operator",
    "programs.over_runs": "runs trailing_zeros",
    "programs.profiling": "profile",
    "programs.reading": "gallop locate walk",
    "programs.spying": "spy",
    "programs.versions": "show_versions",
    "programs.warming": "warmup",
    "reductions.averages": "average mean std var",
    "reductions.calculus": "gradient trapezoid",
    "reductions.comparisons": "allclose array_equal isclose",
    "reductions.nans": "nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    "reductions.quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "reductions.reduce": "reduce",
    "reductions.scans": "cumprod cumsum cumulative_prod cumulative_sum nancumprod nancumsum",
    "reductions.searching": "argmax argmin nanargmax nanargmin",
    "sets.counting": "bincount",
    "sets.histograms": "histogram histogram2d histogram_bin_edges histogramdd",
    "sets.interpolation": "interp",
    "sets.membership": "digitize isin searchsorted",
    "sets.sets": (
        "intersect1d setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
        "unique_values"
    ),
    "sets.sorting": "argpartition argsort lexsort partition sort",
    "shape.inspection": "copy may_share_memory ndim shape shares_memory size",
    "shape.joining": "block column_stack concat concatenate dstack hstack stack vstack",
    "shape.manipulation": (
        "atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to "
        "expand_dims matrix_transpose moveaxis permute_dims squeeze swapaxes"
    ),
    "shape.reshaping": "meshgrid ravel reshape",
    "shape.shifting": "diff ediff1d flip fliplr flipud roll rot90 tile",
    "shape.splitting": "array_split dsplit hsplit split unstack vsplit",
    "signal.convolution": "convolve correlate",
}
"""Modules to their names, as `structarr._support.on_demand.homes` takes them."""
