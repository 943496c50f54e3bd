"""Dask's own tests of sparse chunks, run with ours, those included that pydata/sparse fails."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]

LEFT_OUT = "not test_html_repr"  # it looks for the name of pydata's class

COMMENTED = re.compile(r"^    # (lambda x: )", re.MULTILINE)


def _source() -> str:
    """The tests as they are installed, for our arrays, with the commented lines."""
    package = find_spec("dask.array")
    assert package is not None and package.origin is not None
    text = (Path(package.origin).parent / "tests" / "test_sparse.py").read_text()
    text = text.replace('pytest.importorskip("sparse")', "__import__('arrays_as_coo')")
    text = re.sub(r"^SPARSE_VERSION = .*$", "", text, flags=re.MULTILINE)
    assert len(COMMENTED.findall(text)) >= 5
    return re.sub(r"^@pytest\.mark\.xfail.*\n", "", COMMENTED.sub(r"    \1", text), flags=re.M)


def test_dasks_tests_of_sparse_chunks_pass(tmp_path: Path) -> None:
    (tmp_path / "test_sparse.py").write_text(_source())
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", LEFT_OUT]
    paths = ["-o", f"pythonpath={ROOT / 'support_code'}", "-c", "/dev/null"]
    ran = subprocess.run(
        [*command, *paths, "test_sparse.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout[-5000:]
    passed = re.search(r"(\d+) passed, 1 deselected", ran.stdout)
    assert passed is not None and int(passed[1]) >= 70, ran.stdout[-500:]
