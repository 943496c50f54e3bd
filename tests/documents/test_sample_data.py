"""The data that ships with the repository is whole, small and described."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

DATA = Path(__file__).resolve().parents[2] / "data"
FILES = sorted(DATA.glob("*/*.npz"))
MATRICES = [path for path in FILES if path.parent.name != "images"]
IMAGES = [path for path in FILES if path.parent.name == "images"]


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("path", MATRICES, ids=name)
def test_matrix_is_a_valid_csr(path):
    matrix = sp.load_npz(path)
    matrix.check_format(full_check=True)
    assert matrix.format == "csr" and matrix.has_sorted_indices
    assert np.count_nonzero(matrix.data) == matrix.nnz


@pytest.mark.parametrize("path", IMAGES, ids=name)
def test_images_are_bytes_with_labels(path):
    with np.load(path) as held:
        images, labels = held["images"], held["labels"]
    assert images.dtype == np.uint8 and images.ndim == 3
    assert labels.shape == images.shape[:1]


def test_every_file_is_described_and_all_fit_in_two_mebibytes():
    assert FILES
    described = (DATA / "README.md").read_text(encoding="utf-8")
    assert [name(path) for path in FILES if f"| {name(path)} |" not in described] == []
    assert sum(path.stat().st_size for path in DATA.rglob("*") if path.is_file()) <= 2 << 20
