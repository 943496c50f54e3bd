"""Settings shared by all tests: Hypothesis profiles and a kernel cache of their own."""

import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The interpreted tier, and Numba's first compile, make single examples slow: no deadlines.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=50, **_COMMON)
settings.register_profile("ci", max_examples=50, derandomize=True, print_blob=True, **_COMMON)
settings.register_profile("long", max_examples=5000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# Before SciPy is imported: scikit-learn and SciPy take arrays that are not NumPy's only then.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

# Namespaces for the public suite, whose import sets an option for good.
collect_ignore = ["array_api"]

# A fresh kernel cache for each run, shared by the run's xdist workers (they inherit the
# variable): no test depends on what an earlier run left, and none compiles twice.
_OWN_CACHE = "STRUCTARR_CACHE_DIR" not in os.environ
if _OWN_CACHE:
    os.environ["STRUCTARR_CACHE_DIR"] = tempfile.mkdtemp(prefix="structarr-tests-")


def pytest_unconfigure():
    if _OWN_CACHE:
        shutil.rmtree(os.environ["STRUCTARR_CACHE_DIR"], ignore_errors=True)


_GIVEN = re.compile(r"\w+_n|size\d+(_\d+)?|(scalar|fill|whole)\d+")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew")


@pytest.fixture
def golden(request):
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
def spec(monkeypatch):
    """Every program that a test lowers, and every kernel it gives, is checked."""
    from structarr._compiler import pipeline
    from structarr._compiler.ir.spec import check_cin, check_kernel

    plain, signature = pipeline.lower_program, pipeline._signature

    def lowered(stmt, *args):
        check_cin(stmt)
        return plain(stmt, *args)

    def signed(block, program, ctx):
        params, counts = signature(block, program, ctx)
        names = {param.name for param in params} | {var.name for var in ctx.counters.values()}
        written = frozenset(param.name for param in params if param.writable)
        check_kernel(block, frozenset(names), written)
        for param in params:  # a variable that is read but never set would be a parameter
            assert param.array or _GIVEN.fullmatch(param.name), f"{param.name} is never set"
        return params, counts

    monkeypatch.setattr(pipeline, "lower_program", lowered)
    monkeypatch.setattr(pipeline, "_signature", signed)
