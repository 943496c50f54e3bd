"""A package from outside installs, and what it brings works in both tiers."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import structarr as sa
from structarr import formats
from structarr._array import stored
from structarr._scheduler import cardinality
from structarr._support import syntax_trees
from structarr.cin import Expr, Lit, Tensor
from structarr.errors import FormatError
from structarr.formats import Dense, SparseList, name_table
from structarr.looplets import Context, Looplet

HERE = Path(__file__).parent
PUBLIC = ("structarr", *(f"structarr.{name}" for name in ("cin", "errors", "looplets", "rules")))
NAMES = ("X0_ptr", "X0_first", "X0_step", "X_val")
TIERS = pytest.mark.parametrize("tier", ["interpreted", "compiled"])


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package as pip installs it: built by hatchling, without a network."""
    target = tmp_path_factory.mktemp("site")
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--target")
    command = [sys.executable, "-m", "pip", "install", *options, str(target), str(HERE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # Where pip or hatchling is missing, the folder itself serves: it has the same modules.
    sys.path.insert(0, str(HERE if done.returncode else target))
    with pytest.MonkeyPatch.context() as patch:  # the names that it registers go with the tests
        patch.setattr(name_table, "NAMES", dict(name_table.NAMES))
        try:
            yield importlib.import_module("structarr_example")
        finally:
            sys.path.pop(0)


def evenly(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Rows with a phase and a step each; some are empty."""
    out = np.zeros(shape)
    for row in out.reshape(-1, shape[-1]) if out.size else ():
        first, step = rng.integers(0, shape[-1]), rng.integers(1, 4)
        row[first::step] = rng.integers(1, 5, len(row[first::step])) * rng.integers(0, 2)
    return out


@pytest.mark.parametrize("ndim", [1, pytest.param(2, marks=pytest.mark.long)])
def test_format_proves_itself_interpreted(example: ModuleType, ndim: int) -> None:
    sa.testing.check_format("stride", ndim=ndim, fits=evenly)


def test_looplet_keeps_the_contract(example: ModuleType) -> None:
    """As its format makes it, of fibers of every spacing."""
    level = example.SparseStride(formats.Element())
    samples = []
    for n, first, step in ((0, 0, 1), (1, 0, 1), (7, 1, 2), (7, 6, 1)):
        dense = np.zeros(n)
        dense[first::step] = np.arange(1.0, len(dense[first::step]) + 1)
        tensor = stored(sa.asarray(dense, format=level))
        samples.append((dense, dict(zip(NAMES, tensor.buffers, strict=True))))

    def comb(n: Expr, ctx: Context) -> Looplet:
        format = formats.Format(level, (0,))
        fiber = Tensor("X", format, "float64", Lit("float64", 0.0, True), (n,), "in").root()
        return level.reading.comb(fiber, ctx)  # type: ignore[no-any-return]

    sa.testing.check_looplet(comb, samples)


def test_rules_keep_the_contract(example: ModuleType) -> None:
    roots, sums = example.rules.rules
    sa.testing.check_rules(roots, [0.0, -0.0, 1.5, -3.0, np.inf, np.nan])
    ranges = [lambda n=n: sa.arange(n).sum() for n in (0, 1, 5)]
    sa.testing.check_rules(sums, expressions=ranges)
    with pytest.raises(AssertionError, match="of inf"):  # where squares overflow
        sa.testing.check_rules(roots)


def test_format_is_compiled(example: ModuleType) -> None:
    dense = evenly(np.random.default_rng(0), (9,))
    a, x = sa.asarray(dense, format="stride"), np.arange(9.0)
    with sa.options(tier="compiled"):
        np.testing.assert_array_equal((a * x).todense(), dense * x)


@pytest.mark.long
def test_format_proves_itself_compiled(example: ModuleType) -> None:
    sa.testing.check_format("stride", ndim=1, fits=evenly, tier="compiled")


@pytest.mark.long
def test_format_above_others(example: ModuleType) -> None:
    sa.testing.check_format(example.SparseStride(SparseList()))


def test_level_is_told_nothing_but_its_own(example: ModuleType) -> None:
    assert formats.parse("stride", 2).root is Dense(example.SparseStride())
    assert sa.asarray(np.eye(3), format="stride").format == "stride"
    assert str(sa.asarray(np.eye(3), format="stride").format) == "stride"
    with pytest.raises(FormatError, match=r"a\[0, 3\] = 1.0 is not a step from the one before it"):
        sa.asarray(np.array([[1.0, 1, 0, 1]]), format="stride")


def test_results_have_the_formats_of_lists(example: ModuleType) -> None:
    a = sa.asarray(np.eye(4)[::2], format="stride")
    assert (a * 2).format == "csr"
    assert (a + np.ones(4)).format == "dense"


def multiples(*steps: int) -> list[np.ndarray]:
    """Matrices whose rows have elements at multiples of a step alone."""
    rng = np.random.default_rng(3)
    made = [np.zeros((3, 24)) for _ in steps]
    for out, step in zip(made, steps, strict=True):
        out[:, ::step] = rng.integers(1, 5, out[:, ::step].shape)
    return made


def test_a_kind_of_its_own_unites_and_intersects(example: ModuleType) -> None:
    steps, every = (2, 3, 4), example.Every
    dense = multiples(*steps)
    arrays = [sa.asarray(x, format=Dense(every(step=k))) for x, k in zip(dense, steps, strict=True)]
    expressions = (
        (lambda a, b, c: a * b * c, Dense(every(step=12))),
        (lambda a, b, c: np.maximum(a, c) * b, Dense(every(step=6))),
        (lambda a, b, c: a + c - 2 * c, Dense(every(step=2))),
        (lambda a, b, c: a + b, "dense"),
        (lambda a, b, c: c * np.arange(24.0) + c, Dense(every(step=4))),
        (lambda a, b, c: (c + 1)[:, 1:], "csr"),  # moved, they are multiples no longer
        (lambda a, b, c: np.concatenate([b, b], axis=1), "csr"),
        (lambda a, b, c: c.sum(axis=0), "dense"),
    )
    with sa.options(tier="interpreted"):
        for compute, format in expressions:
            found = compute(*arrays).compute()
            np.testing.assert_array_equal(found.todense(), compute(*dense))
            assert found.format == format, found.format


@pytest.mark.parametrize(
    ("other", "product", "total"),
    [
        ("csr", "csr", "csr"),
        ("band", "every", "csr"),
        pytest.param("bitmap", "every", "bitmap", marks=pytest.mark.long),
        pytest.param("rle", "every", "rle", marks=pytest.mark.long),
        pytest.param("vbl", "every", "vbl", marks=pytest.mark.long),
        pytest.param("point", "point", "csr", marks=pytest.mark.long),
        pytest.param("constant", "every", "every", marks=pytest.mark.long),  # as with a number
    ],
)
def test_a_kind_of_its_own_beside_others(
    example: ModuleType, other: str, product: str, total: str
) -> None:
    (x,), y = multiples(2), np.zeros((3, 24))
    y[:, 4] = 3
    if other == "constant":
        y[:] = 3
    a, b = sa.asarray(x, format="every"), sa.asarray(y, format=other)
    with sa.options(tier="interpreted"):
        for found, want, format in ((a * b, x * y, product), (b + a, x + y, total)):
            np.testing.assert_array_equal(found.todense(), want)
            assert found.format == format, found.format


def test_a_kind_of_its_own_is_sought_counted_and_priced(example: ModuleType) -> None:
    (x,), kind = multiples(2), example.Every.kind
    a = sa.asarray(x, format="every")
    few = sa.asarray(np.where(np.arange(24) % 12 == 0, x, 0), format="csr")
    assert cardinality.stored(a._tensor, 1, 24.0).price == kind.step
    assert cardinality.stored(a._tensor, 1, 24.0).turns == 12
    with sa.options(tier="interpreted"):
        assert "A[i, gallop(j)]" in str(sa.explain(a * few))
        assert np.array_equal((a * few).todense(), few.todense() * x)
        located, walked = (sa.explain(one * few).cost for one in (sa.protocols.by(a, "locate"), a))
        assert located.seconds != walked.seconds


@pytest.mark.long
@pytest.mark.parametrize("ndim", [1, 2])
def test_a_format_of_its_own_kind_proves_itself(example: ModuleType, ndim: int) -> None:
    def fits(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
        return np.where(np.arange(shape[-1]) % 2, 0, rng.integers(0, 4, shape) * 1.0)

    sa.testing.check_format("every", ndim=ndim, fits=fits)


@TIERS
def test_looplet_visits_its_teeth(example: ModuleType, tier: str) -> None:
    x = evenly(np.random.default_rng(1), (8, 20))
    a = sa.asarray(x, format="stride")
    combed = sa.protocols.by(a, "comb")
    weights = np.arange(20.0)
    with sa.options(tier=tier):
        total = (combed * weights).sum(axis=1)
        assert np.array_equal(total.todense(), x @ weights)
        assert np.array_equal((combed * 2).todense(), x * 2)
        assert np.array_equal((combed + weights).todense(), x + weights)  # gaps matter
        assert np.array_equal((combed * a).todense(), x * x)  # a list beside it
        assert np.array_equal((combed * combed).sum(axis=0).todense(), (x * x).sum(axis=0))
        assert np.array_equal(combed[:, 3:11].todense(), x[:, 3:11])
    kernel = sa.explain((combed * weights).sum(axis=1)).kernel
    assert "A_val[u(a_begin + k)]" in kernel
    assert "search" not in kernel


def test_protocol_has_a_name(example: ModuleType) -> None:
    a = sa.asarray(np.eye(3), format=example.SparseStride(example.SparseStride()))
    assert sa.protocols.names(a) == ("walk", "gallop", "locate", "comb")


@TIERS
def test_operators_and_their_semiring(example: ModuleType, tier: str) -> None:
    rng = np.random.default_rng(2)
    x = np.where(rng.random((12, 12)) < 0.3, rng.integers(1, 9, (12, 12)) / 8, 0)
    a = sa.asarray(x, format="csr")
    with sa.options(tier=tier):
        found = sa.matmul(a, a, semiring=example.fuzzy)
        assert found.format == "csr"
        wanted = np.maximum(x[:, :, None] + x[None] - 1, 0).max(axis=1)
        assert np.array_equal(found.todense(), wanted)
        assert float(sa.reduce(example.either, a)) == x.max()
    for operator in (example.both, example.either):
        sa.testing.check_operator(operator, [0.0, 0.25, 0.5, 1.0])


@TIERS
def test_rules_are_used_where_they_are_asked_for(example: ModuleType, tier: str) -> None:
    n, a = sa.arange(3, 1000, 7), sa.asarray([-1.5, 2.0])
    with sa.options(tier=tier):
        assert "for " in sa.explain(n.sum()).kernel
        with sa.options(rules=example.rules):
            assert "for " not in sa.explain(n.sum()).kernel
            assert int(n.sum()) == sum(range(3, 1000, 7))
            assert float(sa.arange(0.0).sum()) == 0
            assert float((sa.linspace(0.0, 1.0, 11)).sum()) == 5.5
            assert "sqrt" not in sa.explain(sa.sqrt(sa.square(a))).kernel
            assert sa.sqrt(sa.square(a)).tolist() == [1.5, 2.0]


def test_files_name_the_module(example: ModuleType, tmp_path: Path) -> None:
    sa.save(tmp_path / "a.npz", sa.asarray(np.eye(3), format="stride"))
    program = "import sys, structarr as sa\ntry:\n    sa.load(sys.argv[1])\nexcept Exception as e:"
    command = [sys.executable, "-c", program + "\n    print(e)", str(tmp_path / "a.npz")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "import structarr_example.sparse_stride first" in said


def test_package_imports_public_modules_alone() -> None:
    for file in (HERE / "structarr_example").glob("*.py"):
        for node in ast.walk(syntax_trees.module(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("structarr."):
                assert node.module in PUBLIC or node.module.startswith("structarr.formats")
