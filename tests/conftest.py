"""Settings shared by all tests: examples that are repeatable, and a kernel cache of their own."""

import gc
import os
import re
import secrets
import shutil
import sys
import tempfile
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

# The interpreted tier, and Numba's first compile, make single examples slow: no deadlines.
_COMMON = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
    "print_blob": True,
}
settings.register_profile("quick", max_examples=25, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=500, **_COMMON)

# Hypothesis also draws the constants of whatever modules are imported by then. Which these are
# depends on what ran before in the process, and so would the examples.
providers._get_local_constants = lambda: providers._local_constants

# A program with mistakes, for type checkers only.
collect_ignore = [
    "support_code/typed_program.py",
    "support_code/arrays_as_coo.py",  # needs Dask, and is imported by the tests beside neighbours
]

# Before SciPy is imported: scikit-learn and SciPy take arrays that are not NumPy's only then.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# A fresh kernel cache for each run, shared by the run's xdist workers (they inherit the
# variable): no test depends on what an earlier run left, and none compiles twice.
_OWN_CACHE = "STRUCTARR_CACHE_DIR" not in os.environ
if _OWN_CACHE:
    os.environ["STRUCTARR_CACHE_DIR"] = tempfile.mkdtemp(prefix="structarr-tests-")


def pytest_unconfigure():
    if _OWN_CACHE:
        shutil.rmtree(os.environ["STRUCTARR_CACHE_DIR"], ignore_errors=True)


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew")


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its options
def pytest_configure(config):
    settings.load_profile("long" if _is_long(config) else "quick")
    if _is_long(config) and config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))  # the workers' seed, too
    from structarr._execute import kept_plans

    # Tests change how plans are made, and no other may find those; STRUCTARR_TEST_PLANS=1 has the
    # plans kept and found all the same.
    kept_plans.ENABLED = bool(os.environ.get("STRUCTARR_TEST_PLANS"))


def _is_long(config):
    """Whether tests are asked for that explore at random or prove at length: `-m long`."""
    return re.search(r"(?<!not )\blong\b", config.option.markexpr) is not None


def pytest_report_header(config):
    return _seed(config)


def pytest_terminal_summary(terminalreporter, config):
    for line in _seed(config):
        terminalreporter.write_line(line)


def _seed(config):
    seed = config.option.hypothesis_seed
    return [f"examples of the seed {seed}: --hypothesis-seed={seed}"] if _is_long(config) else []


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Thousands of tests live as long as the run: no collection of garbage need look at them.

    Nor is it often worth looking: most of what lowering allocates lives on.
    """
    gc.disable()
    gc.set_threshold(50_000)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _sample(items):
    """Leave all but about one in n cases of what is marked `sampled(n)` to `-m long`.

    They are the same each time, and in no step with the parameters.
    """
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and crc32(item.nodeid.encode()) % mark.args[0]:
            item.add_marker(pytest.mark.long)


def _checked(items):
    """`./run test check`: its kernels have other texts for LLVM, and are vectorised less."""
    for item in items:
        mark = item.get_closest_marker("unchecked")
        if mark is not None:
            item.add_marker(pytest.mark.skip(reason=f"under STRUCTARR_DEBUG=check {mark.args[0]}"))


@pytest.hookimpl(tryfirst=True)  # before markers select
def pytest_collection_modifyitems(config, items):
    """At length, whatever takes examples takes fresh ones; the gate does without neighbours."""
    from documented import needs_neighbours

    from structarr._support.debug import debug

    shown = (item for item in items if isinstance(item, pytest.DoctestItem))
    needing = {item for item in shown if needs_neighbours(item.dtest)}
    config.hook.pytest_deselected(items=list(needing))
    items[:] = [item for item in items if item not in needing]
    _sample(items)
    if debug("check"):
        _checked(items)
    if _is_long(config):
        for item in items:
            if getattr(getattr(item, "function", None), "is_hypothesis_test", False):
                item.add_marker("long")


@pytest.fixture
def as_shipped():
    """Kernels without checks of facts, for tests that count their lines or steps."""
    from structarr._compiler.options import Forced, force

    with force(Forced(checked=False)):
        yield


@pytest.fixture
def checked():
    """Kernels that check the facts that lowering takes as true."""
    from structarr._compiler.options import Forced, force

    with force(Forced(checked=True)):
        yield


@pytest.fixture
def golden(request, as_shipped):
    """Compares a text with the file that is named after the test; --update-golden writes it."""
    name = request.node.name.removeprefix("test_")
    path = Path(__file__).parent / "golden" / f"{name}.txt"

    def compare(text):
        if request.config.getoption("--update-golden"):
            path.write_text(text + "\n")
        assert path.exists(), f"no golden {path.name}: run pytest with --update-golden"
        assert text + "\n" == path.read_text()

    return compare


@pytest.fixture(autouse=True)
def nothing_learned():
    """No test depends on what others before it have used twice."""
    sites = sys.modules.get("structarr._api.core.call_sites")
    if sites is not None:
        sites.EXPECTED.clear()
        sites._sites.clear()
        sites._left = 0


@pytest.fixture(autouse=True, scope="session")
def spec():
    """Every program that a test lowers, and every kernel it gives, is checked."""
    from structarr._compiler.ir.expr import Buffer
    from structarr._compiler.ir.given import Given
    from structarr._compiler.ir.spec import check_cin, check_kernel
    from structarr._scheduler import pipeline

    plain, signature = pipeline.lower_program, pipeline.signature

    def lowered(stmt, *args, **named):
        check_cin(stmt)
        return plain(stmt, *args, **named)

    def signed(block, program, ctx):
        found = signature(block, program, ctx)
        pairs = zip(found.arguments, found.params, strict=True)
        written = frozenset(one for one, param in pairs if param.writable)
        check_kernel(block, frozenset({*found.arguments, *ctx.counters.values()}), written)
        for one in found.arguments:  # a variable that is read but never set would be a parameter
            assert isinstance(one, Buffer | Given), f"{one.label} is never set"
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "lower_program", lowered)
        patch.setattr(pipeline, "signature", signed)
        yield
