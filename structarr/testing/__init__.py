"""Checks with which a package that brings a format or an operator proves it.

Examples
--------
>>> import structarr as sa
>>> sa.testing.check_format("rle", ndim=1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from structarr._api.programs.operators import Operator
from structarr._array import Spec
from structarr._compiler.ir.ruleset import as_rules
from structarr._compiler.options import options
from structarr._support.array_types import Tier
from structarr._testing.case import Case
from structarr._testing.cases import Fits, below, cases, retyped
from structarr._testing.corrupting import corrupt
from structarr._testing.looplets.check import check as check_contract
from structarr._testing.looplets.opening import Maker
from structarr._testing.looplets.samples import read_samples
from structarr._testing.pairing import pair
from structarr._testing.reading import read, read_edges
from structarr._testing.rules.check import check as check_rules_of
from structarr._testing.storing import convert, declare, keep, store
from structarr._testing.target_contract import check as check_target_of
from structarr._testing.writing import write
from structarr.errors import FormatError
from structarr.formats import Format, Layout, parse
from structarr.looplets import Looplet
from structarr.rules import Rule, RuleSet
from structarr.targets import Target

__all__ = ["check_format", "check_looplet", "check_operator", "check_rules", "check_target"]


def check_format(
    format: Spec,
    *,
    ndim: int | None = None,
    fits: Fits | None = None,
    seed: int = 0,
    tier: Tier = "interpreted",
) -> None:
    """
    Prove a format: store arrays in it, and read, write, convert and corrupt them.

    Each array is stored and its buffers are validated; it is listed, copied, pickled, saved,
    printed, converted to and from the formats that have a name; it is walked, galloped through and
    located beside dense arrays, lists, bands, runs and itself, in products, sums, comparisons,
    fused expressions, concatenations (which read parts of fibers), transposed, and below further
    levels; results are computed into the format; and each buffer is changed, which must be refused
    or read the same by all protocols. NumPy says what is right.

    Parameters
    ----------
    format : str, Level or Format
        What is to be proved.
    ndim : int, optional
        The number of axes; by default that of the tree of levels, and of a name 1 and 2.
    fits : callable or sequence, optional
        What can be stored so, if not every array can: a function that makes an array of numbers
        whose zeros are to be the fill, given NumPy's random generator and a shape; or such arrays.
        Arrays that are stored so already serve for formats that cannot be written. By default
        arrays of many kinds are tried, without those that a partial level (`is_partial`) refuses.
    seed : int
        Of the random numbers.
    tier : {"interpreted", "compiled"}
        How kernels run. Compiling takes most of a second a kernel, so that fewer are tried.

    Raises
    ------
    AssertionError
        With the expression, what is wrong with its value, and lines of Python that show it again.
    FormatError
        If there is no such format, or nothing fits it.

    See Also
    --------
    check_looplet : For a looplet.
    structarr.formats.register : Names a format.

    Examples
    --------
    >>> import structarr as sa
    >>> from structarr.formats import RunList
    >>> sa.testing.check_format(RunList())
    """
    with options(tier=tier):
        for number in _ndims(format, ndim):
            _check(parse(format, number), fits, seed, few=tier == "compiled")


def check_operator(op: Operator, samples: Any = None) -> None:
    """
    Check the algebra that is declared of an operator, on samples.

    Parameters
    ----------
    op : Operator
        As `structarr.operator` makes it.
    samples : array_like, optional
        Values of one dtype; by default a few small whole numbers, and a few floats.

    Raises
    ------
    AssertionError
        With the first counterexample.

    See Also
    --------
    structarr.operator : Declares an operator.
    check_rules : For rewrite rules.

    Examples
    --------
    >>> import structarr as sa
    >>> distance = sa.operator(lambda a, b: abs(a - b), name="distance", commutative=True)
    >>> sa.testing.check_operator(distance)
    """
    given = ([0, 1, 2, -3, 5], [0.0, 1.0, 0.5, -2.25, 7.0]) if samples is None else (samples,)
    for values in given:
        op.check(values)


def check_looplet(
    looplet: Looplet | Maker, samples: Iterable[tuple[Any, Mapping[str, Any]]]
) -> None:
    """
    Prove a looplet by the contract that the loops it stands in rely on.

    It is written out whole, region by region, by affine indices and by random access, and beside
    the looplets of the package in products and sums. Kernels check each fact that its lowering
    assumes, and read nothing outside of the buffers. NumPy says what is right.
    The page on extending structarr lists the clauses.

    Parameters
    ----------
    looplet : Looplet or callable
        The looplet over [0, n); or a function from n, an expression, and the `Context` of a
        lowering, in which it may emit lines, that gives it.
    samples : iterable of (array_like, mapping)
        The elements of the looplet, all of one dtype, and what the buffers and variables that it
        names stand for then. There must be samples of no and of one element.

    Raises
    ------
    AssertionError
        With the clause that is broken, and how.
    ValueError
        If the samples do not serve.

    See Also
    --------
    check_format : For a level format.

    Examples
    --------
    >>> import numpy as np
    >>> import structarr as sa
    >>> from structarr.cin import Buffer
    >>> from structarr.looplets import Lookup, function
    >>> stored = Lookup(function("i", lambda i: Buffer("x_val", "float64")[i]))
    >>> samples = [(values, {"x_val": values}) for values in map(np.ones, (0, 1, 5))]
    >>> sa.testing.check_looplet(stored, samples)
    >>> farther = Lookup(function("i", lambda i: Buffer("x_val", "float64")[i + 1]))
    >>> sa.testing.check_looplet(farther, samples)
    Traceback (most recent call last):
    ...
    AssertionError: looplet Lookup breaks clause 'reads' (nothing outside of the buffers is read):
    index 1 of a buffer of 1, by `checked_val[i] = x_val[i + 1]` on [0, 1)
    """
    make = (lambda n, ctx: looplet) if isinstance(looplet, Looplet) else looplet
    check_contract(make, read_samples(samples))


def check_rules(
    rules: Rule | RuleSet | Iterable[Rule],
    samples: Any = None,
    *,
    expressions: Iterable[Callable[[], Any]] = (),
    rounding: float = 0.0,
) -> None:
    """
    Prove rewrite rules by the contract that whoever applies them relies on.

    A rule of values is applied to expressions of every dtype: those that its left side matches, or
    small ones of its operator. Both sides are computed for numbers at which rules go wrong, alone
    and with the package's rules, strict or not. A rule of statements, and one of values that
    applies to no small expression, is tried in kernels. Where a rule returns None for a dtype, as
    by `when`, it says nothing of it. The page on extending structarr lists the clauses.

    Parameters
    ----------
    rules : Rule, RuleSet or iterable of Rule
        What `sa.options(rules=...)` is to be given.
    samples : array_like, optional
        The numbers for which the rules are meant to hold, of one dtype; by default NaN, infinities,
        both zeros and bounds, in every dtype.
    expressions : iterable of callable
        Functions that compute arrays, to which rules of statements apply; by default small sums,
        products and maps of vectors and matrices.
    rounding : float, optional
        By how much, relative, the sides may differ; beyond 0 the sign of a zero is free.

    Raises
    ------
    AssertionError
        With the rule, the clause that it breaks, and how.
    ValueError
        If nothing was found to which a rule applies.

    See Also
    --------
    structarr.options : Takes rules.
    check_operator : For an operator.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.testing.check_rules(sa.rules.pair("negative(negative(x))", "x"))
    >>> sa.testing.check_rules(sa.rules.pair("x - x", "0"))
    Traceback (most recent call last):
    ...
    AssertionError: rule 'x - x -> 0' breaks clause 'values' (both sides have the same values, for
    all numbers and empty arrays): for x = nan of float32 it makes 0.0 of nan, Call(...)
    """
    found = as_rules(rules)
    assert found is not None
    check_rules_of(found, samples, expressions, rounding)


def check_target(target: Target) -> None:
    """
    Prove a target of kernels by the contract that whoever has kernels run by it relies on.

    It is given a kernel of each operator in every dtype, and those of expressions and programs over
    all formats. What they compute is compared with what the interpreted tier does, bits but for the
    last ones of floats. The page on extending structarr lists the clauses.

    Parameters
    ----------
    target : Target
        What `sa.options(tier=...)` is to be given.

    Raises
    ------
    AssertionError
        With the clause that is broken, and how.

    See Also
    --------
    structarr.options : Takes a target as the tier.

    Examples
    --------
    >>> import structarr as sa
    >>> class Lazy:
    ...     def build(self, functions, params):
    ...         return lambda *args: None
    >>> sa.testing.check_target(Lazy())
    Traceback (most recent call last):
    ...
    AssertionError: target Lazy breaks clause 'operators' (an operator computes what it does
    interpreted, in every dtype): add(True, False) of bool is False, not True
    """
    check_target_of(target)


def _ndims(format: Spec, ndim: int | None) -> list[int]:
    if ndim is not None:
        return [ndim]
    if not isinstance(format, str):
        tree = format if isinstance(format, Layout | Format) else Format(format, ())
        return [len(tree.levels) - 1]
    found = []
    for number in (1, 2, 3):
        try:
            parse(format, number)
        except FormatError:
            continue
        found.append(number)
    return found[:2] or [2]  # a name that is unknown is reported where it is parsed


def _check(format: Format, fits: Fits | None, seed: int, few: bool) -> None:
    for level in format.levels:
        declare(level)
    found = list(cases(format, fits, seed))
    for level in found[0].tensor.format.levels[:-1]:
        pair(level)
    for number, case in enumerate(found):
        _check_case(case, few or number > 0)
    if not _writes(format):
        return
    for case in [*retyped(found[0], seed), *below(found[0], seed)]:
        # Where the fill is NaN, only strictly does it meet zeros as NumPy's does.
        with options(strict_ieee=bool(case.tensor.fill != case.tensor.fill)):
            _check_case(case, few=True)


def _check_case(case: Case, few: bool) -> None:
    store(case)
    if 0 in case.own.data.shape or 1 in case.own.data.shape:
        read_edges(case)
        return
    read(case, few or case.own.data.dtype == bool)
    if _writes(case.format):
        write(case, few)
    if not few:
        keep(case)
        convert(case)
        corrupt(case)


def _writes(format: Format) -> bool:
    """Whether numbers can be written so: the leaf may hold marks alone."""
    written = all(level.writing.writable for level in format.levels)
    return written and bool(format.levels[-1].buffers)
