"""The operands of the corpus: a name for each format and number of axes, and some others.

``csr`` is a matrix in that format, ``rle1`` a vector and ``coo3`` an array of three axes; a hyphen
becomes an underscore. Every format's data are such as it likes. In the texts N, S and T are the
shapes of these vectors, matrices and arrays; the families of numbers are those of `data`.
"""

from __future__ import annotations

from typing import Final

SHAPES: Final = {"N": (40,), "S": (24, 24), "T": (6, 8, 10)}

_FAMILIES: Final = {
    "dense": "full",
    "band": "band",
    "vbl": "blocks",
    "ragged": "prefix",
    "point": "points",
    "interval": "interval",
    "rle": "runs",
    "sparse-rle": "gapped",
    "packbits": "packed",
    "triu": "upper",
    "tril": "lower",
    "symmetric": "symmetric",
    "hermitian": "hermitian",
    "dia": "diagonals",
    "bsr": "tiles",
    "constant": "equal",
    "1-bit": "flags",
    "2-bit": "codes",
}  # other formats have scattered elements

_DIGITS: Final = {"one_bit": "1-bit", "two_bit": "2-bit"}  # names begin with a letter

_OTHERS: Final = {
    # A second of a format.
    "csr_b": "sa.asarray(scattered(S, 0.2, 11), format='csr')",
    "csc_b": "sa.asarray(scattered(S, 0.2, 12), format='csc')",
    "list1_b": "sa.asarray(scattered(N, 0.2, 13), format='list')",
    "list1_c": "sa.asarray(scattered(N, 0.3, 14), format='list')",
    "rle1_b": "sa.asarray(np.roll(runs(N, 15), 2), format='rle')",
    "rle_b": "sa.asarray(np.roll(runs(S, 16), 2, 1), format='rle')",
    # Matrices that are not square, vectors, and factors.
    "wide": "sa.asarray(scattered((12, 30), 0.2, 21), format='csr')",
    "tall": "sa.asarray(full((30, 5), 22))",
    "x": "sa.asarray(full((24,), 23))",
    "y": "sa.asarray(full((24,), 24))",
    "few": "sa.asarray(points((24,), 25), format='list')",
    "spikes": "sa.asarray(scattered((24,), 0.3, 26), format='list')",
    "row": "sa.asarray(scattered((1, 24), 0.3, 27), format='csr')",
    "column": "sa.asarray(full((24, 1), 28))",
    "U": "sa.asarray(full((24, 3), 29))",
    "V": "sa.asarray(full((3, 24), 30))",
    "B": "sa.asarray(full((8, 4), 31))",
    "C": "sa.asarray(full((10, 4), 32))",
    # Counts that decide between programs.
    "many": "sa.asarray(scattered((3000,), 0.3, 41), format='list')",
    "some": "sa.asarray(scattered((3000,), 0.002, 42), format='list')",
    "big": "sa.asarray(scattered((150, 150), 0.05, 43), format='csr')",
    "big_b": "sa.asarray(scattered((150, 150), 0.05, 44), format='csr')",
    "big_c": "sa.asarray(scattered((150, 150), 0.05, 45), format='csc')",
    "thin": "sa.asarray(scattered((150, 150), 0.005, 46), format='csr')",
    "big_x": "sa.asarray(full((150,), 47))",
    "big_few": "sa.asarray(scattered((150,), 0.03, 48), format='list')",
    "vast": (
        "sa.from_coordinates(([0, 1, 5], [7, 1, 99_999]), [1.0, 2.0, 3.0], (6, 100_000), "
        "format='csr')"
    ),
    "vast_b": (
        "sa.from_coordinates(([1, 7, 99_999], [0, 50_000, 3]), [1.0, 2.0, 3.0], "
        "(100_000, 100_000), format='dcsr')"
    ),
    # Other dtypes, leaves and fills.
    "bytes": "sa.asarray(scattered(S, 0.2, 51).astype(np.int8), format='csr')",
    "singles": "sa.asarray(scattered(S, 0.2, 52).astype(np.float32), format='csr')",
    "complexes": "sa.asarray(scattered(S, 0.2, 53) * (1 + 2j), format='csr')",
    "mask": "sa.asarray(scattered(S, 0.2, 54) > 0, format='csr')",
    "mask1": "sa.asarray(scattered(N, 0.4, 55) > 0, format='list')",
    "mask_rle": "sa.asarray(runs(S, 56) > 5, format='rle')",
    "pattern": "sa.asarray(scattered(S, 0.2, 57) > 0).asformat(Dense(SparseList(Pattern())))",
    "ones": "sa.ones(S)",
    "range1": "sa.arange(40.0)",
    "eye": "sa.eye(24)",
    "infs": "sa.asarray(holes(S, np.inf, 58), format='csr', fill_value=np.inf)",
    "infs_b": "sa.asarray(holes(S, np.inf, 59), format='csr', fill_value=np.inf)",
    "infs1": "sa.asarray(holes((24,), np.inf, 60), format='list', fill_value=np.inf)",
    "nans": "sa.asarray(holes(S, np.nan, 61), format='csr', fill_value=np.nan)",
    "sevens": "sa.asarray(holes(S, 7.0, 62), format='csr', fill_value=7.0)",
    "short": (
        "sa.asarray(scattered(S, 0.2, 63)).asformat(Format(Dense(SparseList()), (0, 1), 'int32'))"
    ),
    # Trees of levels that have no name.
    "dense_list_dense": "sa.asarray(scattered(T, 0.2, 71)).asformat(Dense(SparseList(Dense())))",
    "runs_of_lists": "sa.asarray(scattered(S, 0.2, 72)).asformat(RunList(SparseList()))",
    "bands_of_lists": "sa.asarray(scattered(S, 0.2, 73)).asformat(SparseBand(SparseList()))",
    "lists_of_runs": "sa.asarray(gapped(S, 74)).asformat(SparseList(RunList()))",
    "tiles_of_24": "sa.asarray(tiles(S, 75)).asformat(Dense(Tiles(Element(), 4, 6)))",
    "above": (
        "sa.asarray(np.triu(full(S, 76), 1)).asformat(Dense(Triangular(Element(), 'upper', 1)))"
    ),
    # Indices and short arrays.
    "places": "np.floor(uniform((24,), 81) * 24).astype(np.int64)",
    "weights": "np.array([1.0, 2.0, 1.0])",
    "window": "np.array([[0.0, 1.0, 0.0], [1.0, 4.0, 1.0], [0.0, 1.0, 0.0]])",
}


def made_by(name: str) -> str:
    """Python text that makes the operand of a name."""
    if name in _OTHERS:
        return _OTHERS[name]
    stem, shape = (name[:-1], "NST"[int(name[-1]) - 1]) if name[-1] in "13" else (name, "S")
    format = _DIGITS.get(stem, stem.replace("_", "-"))
    return f"sa.asarray({_FAMILIES.get(format, 'scattered')}({shape}), format={format!r})"
