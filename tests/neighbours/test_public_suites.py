"""Public suites of other libraries on our arrays, with what is expected to fail in each."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "shims" / "run_suite.py"

EXPECTED = {
    # The text by which pydata/sparse shows its arrays, and how many bytes they take.
    "xarray": {
        "TestSparseVariable::test_repr",
        "TestSparseDataArrayAndDataset::test_dataarray_repr",
        "TestSparseDataArrayAndDataset::test_dataset_repr",
        "TestSparseDataArrayAndDataset::test_sparse_dask_dataset_repr",
    },
}


@pytest.mark.long
@pytest.mark.parametrize("name", EXPECTED)
def test_suite(name: str) -> None:
    pytest.importorskip(name)
    found = subprocess.run(
        [sys.executable, str(RUN), name, "--tb=no", "-W", "ignore"],
        capture_output=True,
        text=True,
        check=False,
    )
    failed = set(re.findall(r"^(?:FAILED|ERROR) [^:]*::(\S+)", found.stdout, flags=re.MULTILINE))
    assert "passed" in found.stdout
    assert failed == EXPECTED[name]
