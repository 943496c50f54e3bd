"""What the benchmarks leave out is said, once, with how to get it."""

from __future__ import annotations

from benchmarks import peers


def test_a_library_that_is_not_installed_is_left_out_with_one_line(capsys):
    assert peers.library("no_such_library") is None
    assert peers.library("no_such_library") is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("left out: no_such_library (")
    assert line.endswith('to have it: pip install "structarr[bench]"')


def test_a_file_that_is_not_there_is_left_out(tmp_path, capsys):
    assert peers.file(tmp_path / "pages.npz") is None
    assert capsys.readouterr().err.startswith("left out: pages.npz (not in ")
    (tmp_path / "pages.npz").touch()
    assert peers.file(tmp_path / "pages.npz") == tmp_path / "pages.npz"
    assert capsys.readouterr().err == ""
