"""Public suites against structarr: ``python tests/neighbours/shims/run_suite.py NAME [ARGS]``.

NAME is one of `SUITES`; ARGS go to pytest. The tests are those of the packages that are installed,
or of the sources in ``--from=FOLDER``, which holds the package. They run in a folder of their own,
where the module `sparse` is the one beside this file. What we refuse is in ``refused/NAME.txt``
with the reasons (`refusals`): it has to fail, and all else to pass; the counts are printed last.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

SHIMS = Path(__file__).parent


class Suite(NamedTuple):
    """Where the tests of a package are, and which of its files run."""

    package: str
    folder: str
    files: tuple[str, ...]
    private: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


SUITES = {
    "pydata": Suite(
        "sparse",
        "numba_backend/tests",
        ("test_*.py", "conftest.py"),
        # Private functions of that library, and its extension of Numba's types.
        private=("test_coo_numba.py", "test_compressed_convert.py"),
    ),
    # Its classes are imported by a file of ours.
    "scipy": Suite("scipy", "sparse/tests", (), own=("classes/test_formats.py",)),
    "xarray": Suite("xarray", "tests", ("test_sparse.py",)),
}


def source(package: str, folder: str | None) -> Path:
    """The folder of a package: an installed one, or one among the sources in `folder`."""
    if folder is not None:
        return Path(folder) / package
    # The folder of this file is the first on the path, and has a package of that name too.
    spec = PathFinder.find_spec(package, [path for path in sys.path if Path(path) != SHIMS])
    assert spec is not None and spec.origin is not None, f"{package} is not installed"
    return Path(spec.origin).parent


def copied(suite: Suite, tests: Path, folder: Path) -> None:
    """Copy a suite's files."""
    for pattern in suite.files:
        for file in sorted(tests.glob(pattern)):
            if file.name not in suite.private:
                shutil.copy(file, folder)
    for name in suite.own:
        shutil.copy(SHIMS / name, folder)


def main(name: str, *options: str) -> int:
    """Run a suite, and return pytest's status."""
    sources = [option.removeprefix("--from=") for option in options if option.startswith("--from=")]
    rest = [option for option in options if not option.startswith("--from=")]
    suite = SUITES[name]
    with tempfile.TemporaryDirectory() as folder:
        tests = source(suite.package, sources[-1] if sources else None) / suite.folder
        copied(suite, tests, Path(folder))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "refusals", "-W", "ignore", folder, *rest]
        paths = os.pathsep.join(filter(None, (str(SHIMS), os.environ.get("PYTHONPATH"))))
        environment = {**os.environ, "PYTHONPATH": paths, "STRUCTARR_SUITE": name}
        return subprocess.run(command, env=environment, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
