"""Every operator's spelling in both tiers against NumPy's arrays; its algebra against values."""

from __future__ import annotations

import copy
import functools
import itertools
import pickle
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numba
import numpy as np
import pytest

from structarr._compiler.backend.numba.compiled import _compiled_helper
from structarr._compiler.backend.operator_table import VALUES
from structarr._compiler.backend.spelling import spelled
from structarr._compiler.ir import ops
from structarr._compiler.ir.ops import OPS, Op
from structarr._compiler.runtime import HELPERS
from structarr._compiler.runtime.vectors import SCALARS
from structarr._support import dtypes as _dtypes

Case: TypeAlias = tuple[Op, tuple[str, ...], str]

DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)
SAME: dict[int, list[tuple[str, ...]]] = {1: [(d,) for d in DTYPES], 2: [(d, d) for d in DTYPES]}
MIXED: list[tuple[str, ...]] = [
    *(("int8", "uint8"), ("int64", "uint64"), ("uint64", "int64"), ("bool", "float64")),
    *(("float32", "int8"), ("float32", "int64"), ("complex64", "float64"), ("int16", "bool")),
]
COMPILED = {
    *("int8", "uint8", "int32", "int64", "uint64", "bool", "float32", "float64", "complex128"),
}
NUMPY: dict[str, Callable[..., Any]] = {
    "real": np.real,
    "imag": np.imag,
    "angle": np.angle,
    "round": np.round,
    "where": np.where,
    # One by one: NumPy's loop takes (-inf) ** 0.5 for a root where the exponent is one for all.
    **dict.fromkeys(("power", "float_power"), lambda a, b: np.array([*map(np.power, a, b)])),
}
# Not computed by NumPy's loops: the C library, SIMD loops and LLVM differ in the last places.
ROUNDED = {"hypot", "logaddexp", "logaddexp2", "power", "float_power"}
COMPLEX_ROUNDED = {
    "multiply",
    "divide",
    "square",
    "reciprocal",
    "absolute",
    "sign",
    "sqrt",
    "angle",
}
# NumPy's own loops differ in the sign of a zero that fmin and fmax choose among two.
EITHER_ZERO = {"fmax", "fmin"}


def edges(name: str) -> np.ndarray[Any, Any]:
    """Return the values of a dtype at which operators differ, and some at random."""
    dtype, rng = np.dtype(name), np.random.default_rng(7)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, bounds.max, bounds.max - 1]
        numbers += [n for n in (-1, -2, -7, bounds.min, bounds.min + 1) if n >= bounds.min]
        random = rng.integers(bounds.min, bounds.max, 3, dtype, endpoint=True)
        return np.concatenate([np.array(numbers, dtype), random])
    if dtype.kind == "f":
        info = np.finfo(dtype)
        special = [0.0, -0.0, 1, -1, 2, 0.5, -0.5, 2.5, -3, 7.25, np.inf, -np.inf, np.nan, 1e10]
        special += [info.max, info.tiny, info.smallest_subnormal]
        return np.concatenate([special, rng.normal(0, 3, 4)]).astype(dtype)
    parts = [0.0, -0.0, 1, -2.5, np.inf, np.nan, 3]
    return np.array([complex(a, b) for a in parts for b in parts], dtype)


def operands(op: Op, ins: tuple[str, ...]) -> list[np.ndarray[Any, Any]]:
    """Return all combinations of edge values at which NumPy does not raise."""
    grid = [g.ravel() for g in np.meshgrid(*(edges(d) for d in ins), indexing="ij")]
    if op.name == "power" and ins[1][0] == "i":
        grid = [g[grid[1] >= 0] for g in grid]
    if op.name in ROUNDED and ins[0][0] == "c":
        # Infinite and NaN parts: documented as the library's, which the tiers do not share.
        finite = np.logical_and.reduce([np.isfinite(g) for g in grid])
        grid = [g[finite] for g in grid]
    return grid


SEMIRINGS = {"min_plus_multiply", "max_plus_multiply", "max_times_add"}
OWN = {"counted", "divide_parts"} | SEMIRINGS  # none of NumPy's
MADE = {op.name for op in OPS.values() if op.function is not None}  # by other tests


def cases() -> Iterator[Case]:
    """Yield every operator with the loops that NumPy has for it."""
    for op in (op for op in OPS.values() if op.name not in OWN | MADE):
        seen = set()
        given = SAME[op.arity] + MIXED * (op.arity == 2) if op.arity < 3 else []
        given = given or [("bool", d, d) for d in DTYPES]
        for dtypes in given:
            try:
                ins, out = _dtypes.resolve(op.name, tuple(map(np.dtype, dtypes)))
            except TypeError:
                continue
            if ins not in seen:
                seen.add(ins)
                yield op, ins, out


CASES = list(cases())
IDS = ["-".join((op.name, *ins)) for op, ins, _ in CASES]


def reference(op: Op, ins: list[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    with np.errstate(all="ignore"):
        return np.asarray((NUMPY.get(op.name) or getattr(np, op.name))(*ins))


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that Numba alone calls: without wrappers this takes half the time."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(error_model="numpy", **options)(function)


@functools.cache
def namespace(compiled: bool) -> dict[str, Any]:
    """Return what kernels see: constructors and helpers by bare name."""
    found: dict[str, Any] = {"np": np, "bool_": np.bool_}
    found |= {name: getattr(np, name) for name in DTYPES if name != "bool"}
    for name in {*VALUES, *SCALARS, "scalar_power"}:
        found[name] = _compiled_helper(HELPERS[name]) if compiled else HELPERS[name]
    return found


def function(op: Op, ins: tuple[str, ...], out: str) -> Callable[..., Any]:
    names = ["abc"[k] for k in range(op.arity)]
    text = spelled(op, ins, out).template.format(*names)
    scope = dict(namespace(compiled=False))
    exec(f"def apply({', '.join(names)}): return {text}", scope)
    return scope["apply"]  # type: ignore[no-any-return]


def loop(batch: list[Case]) -> Any:
    """Compile one function that loops over each operator: a function each takes twice as long.

    Assert that Numba infers exactly the dtype of every result.
    """
    names = "abc"[: len(batch[0][1])]
    scope = dict(namespace(compiled=True))
    types = tuple(numba.from_dtype(np.dtype(d)) for d in batch[0][1])
    lines = []
    for k, (op, ins, out) in enumerate(batch):
        text = spelled(op, ins, out).template.format(*names)
        exec(f"def f{k}({', '.join(names)}): return {text}", scope)
        scope[f"f{k}"] = inner(scope[f"f{k}"])
        scope[f"f{k}"].compile(types)
        inferred = scope[f"f{k}"].overloads[types].signature.return_type
        assert inferred == numba.from_dtype(np.dtype(out)), op
        loads = ", ".join(f"{name}{k}[i]" for name in names)
        lines.append(f"  for i in range(o{k}.size): o{k}[i] = f{k}({loads})")
    heads = [f"{n}{k}" for k in range(len(batch)) for n in (*names, "o")]
    exec("\n".join([f"def loop({', '.join(heads)}):", *lines]), scope)
    return numba.njit(scope["loop"])


def agree(
    op: Op, got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], *args: np.ndarray[Any, Any]
) -> None:
    """Assert equal bits (NaN equals NaN), or equality to rounding where that is the promise."""
    if wanted.dtype.kind == "c":
        nan = np.isnan(wanted)
        assert not (np.isnan(got) ^ nan).any(), (op, *args)
    rounded = op.name in ROUNDED or (
        op.name in COMPLEX_ROUNDED and any(a.dtype.kind == "c" for a in args)
    )
    if rounded and wanted.dtype.kind in "fc":
        rtol = 20 * np.finfo(wanted.dtype).eps
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(got, wanted, rtol=rtol, atol=rtol, equal_nan=True)
        return
    np.testing.assert_array_equal(got, wanted)
    if wanted.dtype.kind in "fc" and op.name not in EITHER_ZERO:
        for part in ("real", "imag") if wanted.dtype.kind == "c" else ("real",):
            a, b = getattr(got, part), getattr(wanted, part)
            number = ~np.isnan(b)
            np.testing.assert_array_equal(np.signbit(a[number]), np.signbit(b[number]))


def expected(
    op: Op, ins: tuple[str, ...], out: str
) -> tuple[list[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    args = operands(op, ins)
    wanted = reference(op, args)
    assert wanted.dtype == out
    return args, wanted


@pytest.mark.parametrize(("op", "ins", "out"), CASES, ids=IDS)
def test_interpreted_equals_numpy(op: Op, ins: tuple[str, ...], out: str) -> None:
    args, wanted = expected(op, ins, out)
    apply = function(op, ins, out)
    with np.errstate(all="ignore"):
        got = [apply(*scalars) for scalars in zip(*args, strict=True)]
    assert {type(value) for value in got} == {np.dtype(out).type}
    agree(op, np.array(got, out), wanted, *args)


def check_compiled(batch: list[Case]) -> None:
    known = [expected(*case) for case in batch]
    results = [np.empty(wanted.shape, wanted.dtype) for _, wanted in known]
    given = [(*args, got) for (args, _), got in zip(known, results, strict=True)]
    loop(batch)(*itertools.chain.from_iterable(given))
    for (op, _, _), (args, wanted), got in zip(batch, known, results, strict=True):
        agree(op, got, wanted, *args)


def representative() -> list[Any]:
    """Return, of each operator, one case a spelling and kind, in batches of like operands."""
    batches: dict[tuple[str, ...], list[Case]] = {}
    seen = set()
    for op, ins, out in CASES:
        own = spelled(op, ins, out) if ins[0][0] in "iu" else ins[0][0]
        key = (op, own, ins[0] != ins[-1])
        if COMPILED.issuperset(ins) and key not in seen:
            seen.add(key)
            batches.setdefault(ins, []).append((op, ins, out))
    return [
        pytest.param(batch, id="-".join(ins), marks=pytest.mark.long if is_like_others(ins) else [])
        for ins, batch in batches.items()
    ]


def is_like_others(ins: tuple[str, ...]) -> bool:
    """Whether operators are spelled much as for other dtypes: uint8 and int64, and float32."""
    return {"int8", "int32"}.issuperset(ins) or ins == ("complex128", "complex128")


@pytest.mark.parametrize("batch", representative())
def test_compiled_equals_numpy(batch: list[Case]) -> None:
    check_compiled(batch)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_every_loop_compiled_equals_numpy(case: Case) -> None:
    check_compiled([case])


def test_every_numeric_ufunc_of_numpy_is_an_operator_or_says_why_not() -> None:
    named = (getattr(np, name) for name in dir(np))
    ufuncs = {u.__name__ for u in named if isinstance(u, np.ufunc)}
    beyond = {"real", "imag", "angle", "round", "where"}
    made = {name for name, op in OPS.items() if op.function is not None}
    assert ufuncs - set(OPS) == set(ops.UNSUPPORTED)
    assert set(OPS) - ufuncs - made == beyond | OWN


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.function is None], ids=str)
def test_copies_are_the_operator_itself(op: Op) -> None:
    assert copy.deepcopy(op) is op
    assert pickle.loads(pickle.dumps(op)) is op


def test_a_name_belongs_to_one_operator() -> None:
    with pytest.raises(ValueError, match="'add' is already defined"):
        ops.define(Op("add", 2))


def test_an_operator_without_a_spelling_for_a_kind_says_so() -> None:
    with pytest.raises(TypeError, match="divide is not defined for int64"):
        spelled(OPS["divide"], ("int64", "int64"), "int64")


@pytest.mark.parametrize(
    ("name", "dtype", "wanted"),
    [
        ("add", "float64", "{0} + {1}"),
        ("add", "int64", "{0} + {1}"),
        ("add", "int8", "int8({0} + {1})"),
        ("add", "bool", "{0} | {1}"),
        ("maximum", "int8", "maximum({0}, {1})"),
        ("floor_divide", "int32", "int32(floor_divide_narrow({0}, {1}))"),
        ("floor_divide", "int64", "floor_divide_int({0}, {1})"),
        ("left_shift", "uint16", "uint16(left_shift({0}, {1}, 16))"),
        ("less", "float32", "{0} < {1}"),
        ("sqrt", "float64", "np.sqrt({0})"),
        ("sin", "float64", "scalar_sin({0})"),
    ],
)
def test_spellings_are_as_plain_as_both_tiers_allow(name: str, dtype: str, wanted: str) -> None:
    ins, out = _dtypes.resolve(name, (np.dtype(dtype),) * OPS[name].arity)
    assert spelled(OPS[name], ins, out).template == wanted


# ------------------------------------------------------------------ the algebra

CLOSED = [(op, ins[0]) for op, ins, out in CASES if {*ins} == {out} and op.arity < 3]


def every_closed(check: Callable[[Op, str], None]) -> Callable[[Op], None]:
    """Make a check of one operator and dtype a test of each operator in all its dtypes."""

    def test(op: Op) -> None:
        for dtype in [own for one, own in CLOSED if one is op]:
            try:
                check(op, dtype)
            except BaseException as error:
                error.add_note(f"{op.name} of {dtype}")
                raise

    test.__name__ = check.__name__
    return pytest.mark.parametrize("op", dict(CLOSED), ids=lambda op: op.name)(test)


def few(dtype: str) -> np.ndarray[Any, Any]:
    """Return small whole numbers, on which facts hold that overflow or rounding would break."""
    if dtype == "bool":
        return np.array([False, True])
    return np.arange(0 if dtype[0] == "u" else -3, 5).astype(dtype)


def spread(dtype: str, step: int = 1) -> np.ndarray[Any, Any]:
    """Return all edge values of exact dtypes, a few of the others."""
    return edges(dtype)[::step] if dtype[0] in "biu" else few(dtype)


def closed(name: str, dtype: str) -> bool:
    return (OPS[name], dtype) in CLOSED


def apply(name: str, *args: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Apply an operator's spelling in the interpreted tier to arrays that broadcast."""
    arrays = np.broadcast_arrays(*args)
    scalar = function(OPS[name], tuple(a.dtype.name for a in arrays), args[0].dtype.name)
    with np.errstate(all="ignore"):
        flat = [scalar(*row) for row in zip(*(a.ravel() for a in arrays), strict=True)]
    return np.array(flat, args[0].dtype).reshape(arrays[0].shape)


def constant(value: Any, dtype: str) -> np.ndarray[Any, Any] | None:
    """Return an algebraic constant as a dtype has it: the infinities are an integer's bounds."""
    if value is None or (dtype[0] in "biu" and value != value):
        return None
    if dtype[0] in "biu" and value in (np.inf, -np.inf):
        value = _dtypes.identity_of("maximum" if value < 0 else "minimum", dtype)
    return np.array(value).astype(dtype)


def equal(got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], exactly: bool = False) -> None:
    wanted = np.broadcast_to(wanted, got.shape)
    np.testing.assert_array_equal(got, wanted)
    if exactly and got.dtype.kind == "f":
        number = ~np.isnan(got)
        np.testing.assert_array_equal(np.signbit(got)[number], np.signbit(wanted)[number])


def nearly(got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> None:
    np.testing.assert_allclose(got, np.broadcast_to(wanted, got.shape), rtol=1e-5, atol=1e-5)


@every_closed
def test_identities(op: Op, dtype: str) -> None:
    exactly = dtype[0] in op.identity_exactly
    x = edges(dtype) if exactly else few(dtype)
    left, right = constant(op.left_identity, dtype), constant(op.right_identity, dtype)
    if left is not None:
        equal(apply(op.name, left, x), x, exactly)
    if right is not None:
        equal(apply(op.name, x, right), x, exactly)


@every_closed
def test_annihilators(op: Op, dtype: str) -> None:
    exactly = dtype[0] in op.annihilates_exactly
    x = edges(dtype) if exactly else few(dtype)
    for v, swapped in ((op.left_annihilator, False), (op.right_annihilator, True)):
        value = constant(v, dtype)
        if value is None:
            continue
        got = apply(op.name, x, value) if swapped else apply(op.name, value, x)
        defined = np.ones(x.shape, bool) if exactly else ~np.isnan(got)  # 0 / 0 is not
        assert defined.sum() >= len(x) - 1
        equal(got[defined], value, exactly)


@every_closed
def test_right_constants(op: Op, dtype: str) -> None:
    if op.right_constant is not None:
        v, c = (np.array(value).astype(dtype) for value in op.right_constant)
        equal(apply(op.name, edges(dtype), v), c, exactly=True)


@every_closed
def test_symmetry(op: Op, dtype: str) -> None:
    if op.commutative:
        x = few(dtype) if dtype[0] == "c" else edges(dtype)
        check = nearly if op.name in ROUNDED else equal
        check(apply(op.name, x[:, None], x), apply(op.name, x, x[:, None]))


@every_closed
def test_associativity(op: Op, dtype: str) -> None:
    if not op.associative:
        return
    a = few(dtype) if op.name == "lcm" else spread(dtype, step=2)  # lcm wraps around
    b, c = a[:, None], a[:, None, None]
    left = apply(op.name, apply(op.name, a, b), c)
    right = apply(op.name, a, apply(op.name, b, c))
    (nearly if op.name in ROUNDED else equal)(left, right)


@every_closed
def test_idempotence_and_involution(op: Op, dtype: str) -> None:
    x = edges(dtype)
    if op.idempotent:
        equal(apply(op.name, x, x), x, exactly=True)
    if op.involution:
        equal(apply(op.name, apply(op.name, x)), x, exactly=True)


@every_closed
def test_inverses(op: Op, dtype: str) -> None:
    a = few(dtype)
    b = a[:, None][a != 0]
    if op.inverse and closed(op.inverse, dtype) and (op.name, dtype) != ("multiply", "bool"):
        nearly(apply(op.inverse, apply(op.name, a, b), b), a)
    if op.expands_to:
        outer, inner = op.expands_to
        x, y = edges(dtype), edges(dtype)[:, None]
        equal(apply(op.name, x, y), apply(outer, x, apply(inner, y)), exactly=True)


@every_closed
def test_distribution(op: Op, dtype: str) -> None:
    a = few(dtype)
    b, c = a[:, None], a[:, None, None]
    for g in op.distributes_over:
        if closed(g, dtype):
            left = apply(op.name, a, apply(g, b, c))
            equal(left, apply(g, apply(op.name, a, b), apply(op.name, a, c)))


@every_closed
def test_factoring_out(op: Op, dtype: str) -> None:
    a = spread(dtype)
    b = a[:, None]
    for g in op.factors_out_of:
        if closed(g, dtype):
            wanted = apply(op.name, apply(g, a, b))
            equal(apply(g, apply(op.name, a), b), wanted, exactly=True)
            equal(apply(g, a, apply(op.name, b)), wanted, exactly=True)


@every_closed
def test_repetition(op: Op, dtype: str) -> None:
    for times in (0, 1, 2, 5, 300):
        if op.repeat is None or (op.repeat == "once" and times == 0):
            continue
        x, v = few(dtype), few(dtype)[:, None]
        if op.repeat == "power" and dtype[0] in "fc":
            v = (v == 1).astype(dtype)  # keeps floats finite, and complex powers exact
        wanted = np.broadcast_to(x, (v.size, x.size))
        for _ in range(times):
            wanted = apply(op.name, wanted, v)
        equal(repeated(op, x, v, times), wanted)


def repeated(
    op: Op, x: np.ndarray[Any, Any], v: np.ndarray[Any, Any], times: int
) -> np.ndarray[Any, Any]:
    if op.repeat == "once" or (op.repeat == "power" and x.dtype == bool):
        return apply(op.name, x, v) if times else np.broadcast_to(x, (v.size, x.size))
    assert op.repeat is not None
    exponent = op.repeat == "power" and x.dtype.kind in "iu"
    count = np.array(times).astype("int64" if exponent else x.dtype)
    return apply(op.name, x, apply(op.repeat, v, count))


def test_names_in_the_table_are_operators() -> None:
    for op in OPS.values():
        if op.function is not None:
            continue
        named = {*op.distributes_over, *op.factors_out_of, *(op.expands_to or ())}
        named |= {name for name in (op.inverse, op.repeat) if name not in (None, "once")}
        assert named <= set(OPS)
        assert op.idempotent == (op.repeat == "once")
        assert (
            op.left_identity == op.right_identity
            or not op.commutative
            or np.isnan(
                op.left_identity  # type: ignore[arg-type]
            )
        )
