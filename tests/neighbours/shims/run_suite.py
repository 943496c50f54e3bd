"""Public suites against structarr: ``python tests/neighbours/shims/run_suite.py NAME [ARGS]``.

ARGS go to pytest. The tests are those of the packages that are installed; they run in a folder of
their own, where the module `sparse` is the one beside this file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

SHIMS = Path(__file__).parent
SUITES = {
    "pydata": ("sparse", "numba_backend/tests", ("test_*.py", "conftest.py")),
    "xarray": ("xarray", "tests", ("test_sparse.py",)),
}
"""The package, the folder of its tests, and which of them."""

PRIVATE = ("test_coo_numba.py", "test_compressed_convert.py")
"""Tests of pydata/sparse's private functions, and of its extension of Numba's types."""


def copied(name: str, folder: Path) -> None:
    """Copy a suite's files."""
    package, tests, patterns = SUITES[name]
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    for pattern in patterns:
        for file in sorted((Path(spec.origin).parent / tests).glob(pattern)):
            if file.name not in PRIVATE:
                shutil.copy(file, folder)


def main(name: str, *options: str) -> int:
    """Run a suite, and return pytest's status."""
    with tempfile.TemporaryDirectory() as folder:
        copied(name, Path(folder))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder, *options]
        paths = os.pathsep.join(filter(None, (str(SHIMS), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "PYTHONPATH": paths}
        return subprocess.run(command, env=environment, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
