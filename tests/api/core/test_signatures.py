"""Signatures of public functions: names of formats, modes and options as literals, no `Any`."""

import inspect
from typing import get_args

import pytest

import structarr as sa
from structarr._api.indexing import padding
from structarr._api.reductions import quantiles
from structarr._api.signal import convolution, filters
from structarr._compiler import options
from structarr._support import array_types
from structarr.formats import name_table

# What is handed on to a function of a user's or of NumPy's, or read from a text.
ARBITRARY = {
    *("bartlett", "blackman", "diag_indices", "frombuffer", "fromfile", "fromfunction", "fromiter"),
    *("fromstring", "genfromtxt", "hamming", "hanning", "indices", "kaiser", "loadtxt"),
    *("mask_indices", "tril_indices", "triu_indices"),
    "apply_along_axis",
    "array_repr",
    "array_str",
    "coalesce",
    "einsum",
    "einsum_path",
    "explain",
    "loops",
    "pad",
    "piecewise",
    "result_type",
    "savez",
    "savez_compressed",
    "warmup",
}


def public() -> dict[str, object]:
    found = {name: getattr(sa, name) for name in dir(sa) if not name.startswith("_")}
    methods = dict(inspect.getmembers(sa.Array, inspect.isfunction))
    found |= {f"Array.{name}": one for name, one in methods.items() if not name.startswith("_")}
    return {
        name: one
        for name, one in found.items()
        if inspect.isfunction(one) and one.__module__.startswith("structarr")
    }


def test_variable_arguments_have_a_type() -> None:
    untyped = {
        name
        for name, function in public().items()
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) and one.annotation == "Any"
    }
    assert untyped <= ARBITRARY


def test_all_parameters_have_a_type() -> None:
    untyped = {
        name: one.name
        for name, function in public().items()
        for one in inspect.signature(function).parameters.values()
        if one.annotation is one.empty and one.name != "self"
    }
    assert untyped == {}


@pytest.mark.parametrize(
    "literal, values",
    [
        (array_types.FormatName, {"auto", *name_table.NAMES, *name_table.ALIASES}),
        (array_types.Tier, options.TIERS),
        (array_types.Overlap, convolution.MODES),
        (array_types.Padding, padding.MODES),
        (array_types.Boundary, filters.PADDED),
        (array_types.Quantile, {*quantiles._DISCRETE, *quantiles._CONTINUOUS}),
    ],
)
def test_literals_are_the_names_that_are_known(literal: object, values: object) -> None:
    assert set(get_args(literal)) == set(values)  # type: ignore[call-overload]


def test_options_may_be_changed_by_their_names() -> None:
    assert set(options.Changes.__annotations__) == set(options._NAMES)
