"""The commands: what they tell, as text and as JSON, and their exit statuses."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import structarr as sa
from structarr.__main__ import main


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A matrix in each kind of file that is read, and a vector."""
    matrix = scipy.sparse.csr_array(np.diag([1.0, 2.0, 3.0]))
    scipy.sparse.save_npz(tmp_path / "scipy.npz", matrix)
    scipy.io.mmwrite(tmp_path / "market.mtx", matrix)
    np.save(tmp_path / "dense.npy", matrix.toarray())
    sa.save(tmp_path / "own.npz", sa.asarray(matrix))
    np.save(tmp_path / "x.npy", np.ones(3))
    np.savez(tmp_path / "several.npz", a=np.ones(3), b=np.ones(2))
    (tmp_path / "damaged.npz").write_bytes(b"none")
    (tmp_path / "a.txt").write_text("1 2")
    return {path.name: str(path) for path in tmp_path.iterdir()}


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command tells as JSON."""
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", ["scipy.npz", "market.mtx", "dense.npy", "own.npz"])
def test_info_reads_every_kind_of_file(
    name: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "info", files[name])
    assert (found["shape"], found["dtype"], found["auto"]) == ([3, 3], "float64", "dia")
    assert found["formats"]["dense"] == found["dense_bytes"] == 72
    assert main(["info", files[name]]) == 0
    assert 'format="auto" takes dia' in capsys.readouterr().out


@pytest.mark.parametrize("to", ["to.npz", "to.npy", "to.mtx"])
def test_convert_writes_what_it_says(
    to: str, files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / to)
    found = told(capsys, "convert", files["scipy.npz"], target, "--format", "csc")
    assert found["format"] == "csc"
    again = told(capsys, "info", target)
    assert again["shape"] == [3, 3]
    if to == "to.npz":
        assert sa.load(target).format == "csc"
        np.testing.assert_array_equal(sa.load(target).todense(), np.diag([1.0, 2.0, 3.0]))


def test_explain_tells_the_kernel(
    files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.html"
    operands = [f"A={files['scipy.npz']}", f"x={files['x.npy']}"]
    asked = ["explain", "y[i] += A[i, j] * x[j]", *operands, "--html", str(page)]
    found = told(capsys, *asked)
    assert found["inputs"] == {"A": "csr", "x": "dense"}
    assert "def kernel" in found["kernel"]
    assert "<details>" in page.read_text()


def test_the_cache_is_listed_and_cleared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path / "kept"))
    assert told(capsys, "cache", "list")["files"] == 0
    folder = Path(told(capsys, "cache", "list")["folder"])
    (folder / "one.kernel").write_bytes(b"12345")
    (folder / "times.json").write_text("{}")
    assert told(capsys, "cache", "list")["kinds"] == {".kernel": {"files": 1, "bytes": 5}}
    assert told(capsys, "cache", "clear") == {"files": 1, "bytes": 5}
    assert [one.name for one in folder.iterdir()] == ["times.json"]


def test_versions(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "versions")["numpy"] == np.__version__


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["info", "{several.npz}"], "several arrays"),
        (["info", "{damaged.npz}"], "damaged"),
        (["info", "{a.txt}"], "are not known"),
        (["info", "no such.npz"], "No such file"),
        (["convert", "{own.npz}", "x.foo"], "are not known"),
        (["convert", "{own.npz}", "x.npz", "--format", "crs"], "did you mean csr"),
        (["explain", "y[i] = a[i]", "a"], "write NAME=FILE"),
        (["explain", "y[i = a[i]", "a={x.npy}"], "y[i"),
    ],
)
def test_errors_are_told_with_status_1(
    arguments: list[str], says: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name, path in files.items():
        arguments = [one.replace(f"{{{name}}}", path) for one in arguments]
    assert main([*arguments, "--json"]) == 1
    captured = capsys.readouterr()
    assert says in captured.err
    assert says in json.loads(captured.out)["error"]


@pytest.mark.parametrize("arguments", [[], ["frobnicate"], ["info"], ["cache"]])
def test_arguments_that_are_not_understood_have_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 2
    assert "usage" in capsys.readouterr().err
