"""Settings shared by all tests: Hypothesis profiles and a kernel cache of their own."""

import os
import shutil
import tempfile

from hypothesis import HealthCheck, settings

# The interpreted tier, and Numba's first compile, make single examples slow: no deadlines.
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=50, **_COMMON)
settings.register_profile("ci", max_examples=50, derandomize=True, print_blob=True, **_COMMON)
settings.register_profile("long", max_examples=5000, print_blob=True, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

# A fresh kernel cache for each run, shared by the run's xdist workers (they inherit the
# variable): no test depends on what an earlier run left, and none compiles twice.
_OWN_CACHE = "STRUCTARR_CACHE_DIR" not in os.environ
if _OWN_CACHE:
    os.environ["STRUCTARR_CACHE_DIR"] = tempfile.mkdtemp(prefix="structarr-tests-")


def pytest_unconfigure():
    if _OWN_CACHE:
        shutil.rmtree(os.environ["STRUCTARR_CACHE_DIR"], ignore_errors=True)
