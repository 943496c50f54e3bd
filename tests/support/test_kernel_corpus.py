"""The corpus of kernels: what is in it, that it is repeatable, and how two commits are compared."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import structarr
from structarr._support import syntax_trees
from structarr._testing.kernels import command, run
from structarr._testing.kernels.case import Case
from structarr._testing.kernels.command import main, recorded, unpacked
from structarr._testing.kernels.compare import compared, report
from structarr._testing.kernels.corpus import corpus
from structarr._testing.kernels.names import alike, canonical, canonical_kernel
from structarr._testing.kernels.operands import made_by
from structarr._testing.kernels.record import Record
from structarr._testing.kernels.write import text_of, write
from structarr.formats import names_for

ROOT = Path(structarr.__file__).parents[1]

DOT = """\
def kernel(A_val, B_val, n):
    s = 0.0
    for i in range(n):
        s = s + A_val[u(i)] * B_val[u(i)]
    return (s,)
"""
RENAMED = """\
def kernel(k_n, other, these):
    total = 0.0
    for k in range(k_n):
        total = total + these[u(k)] * other[u(k)]
    return (total,)
"""


def _operand(format: str) -> str:
    """The name of the operand of a format, which begins with a letter."""
    return format.replace("1-", "one-").replace("2-", "two-").replace("-", "_")


def test_every_format_that_has_a_name_is_in_the_corpus() -> None:
    operands = {name for case in corpus() for name in case.operands}
    for ndim, end in ((1, "1"), (2, ""), (3, "3")):
        named = {_operand(name) + end for name in names_for(ndim)}
        kept = named if ndim == 2 else named & {name for name in named if name in operands}
        assert kept <= operands, kept - operands
    for name in names_for(1):
        assert any(name in case.text or _operand(name) in case.text for case in corpus())


def test_cases_have_names_of_their_own() -> None:
    names = [case.name for case in corpus()]
    assert len(set(map(str.lower, names))) == len(names) >= 300
    assert all(len(name) < 100 and name.isascii() and " " not in name for name in names)


def test_every_operand_is_known() -> None:
    for name in {name for case in corpus() for name in case.operands}:
        syntax_trees.expression(made_by(name))


def test_cases_tell_their_operands_and_options() -> None:
    case = Case("g", "(csr @ x).asformat(Dense(RunList()))  # strict_ieee=True, threads=2")
    assert case.operands == ("csr", "x")
    assert case.options == {"strict_ieee": True, "threads": 2}
    assert case.expression == "(csr @ x).asformat(Dense(RunList()))"


def test_a_record_has_all_that_was_made_on_the_way(tmp_path: Path) -> None:
    (record,) = recorded(ROOT, tmp_path, only="csr.T @ csr").values()
    # The copy that is stored in another order, then the product.
    titles = ["operand", "result", "kernel", "program", "kernel", "call"]
    assert [title for title, _ in record] == titles
    told = dict(record)
    assert told["operand"].startswith("csr: csr, int64 coordinates, float64 (24, 24), ")
    assert told["result"].startswith("csr, int64 coordinates, float64 (24, 24), ")
    assert "takes A_val: float64[]\n" in told["call"]
    assert "level 1 of result 0 has room for min(" in told["call"]


@pytest.mark.long
def test_the_whole_corpus_is_the_same_in_every_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for seed in "12":
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        found.append(recorded(ROOT, tmp_path, jobs=2))
    assert found[0] == found[1]
    failed = {name for name, record in found[0].items() if dict(record).get("error")}
    assert not failed


def test_kernels_are_equal_up_to_names() -> None:
    assert canonical_kernel(DOT)[0] == canonical_kernel(RENAMED)[0]
    assert canonical_kernel(DOT)[0] != canonical_kernel(DOT.replace("+ A_val", "+ B_val"))[0]
    assert canonical_kernel(DOT)[0] != canonical_kernel(DOT.replace("0.0", "1.0"))[0]
    swapped = DOT.replace("A_val[u(i)] * B_val", "B_val[u(i)] * A_val")
    assert canonical_kernel(DOT)[0] == canonical_kernel(swapped)[0]  # as it is by names alone


def test_names_in_the_call_go_with_those_of_the_kernel() -> None:
    call = "takes A_val: float64[]\ntakes B_val: int8[]\ntakes n: int64\ngives dense"
    other = "takes k_n: int64\ntakes other: int8[]\ntakes these: float64[]\ngives dense"
    wrong = other.replace("int8", "int16")
    one = canonical((("kernel", DOT), ("call", call)))
    assert one == canonical((("kernel", RENAMED), ("call", other)))
    assert one != canonical((("kernel", RENAMED), ("call", wrong)))


def test_parts_of_kernels_may_list_their_names_in_another_order() -> None:
    one = (
        "def kernel(a, b):\n    (p, q) = part1(a, b)\n    b[0] = p\n    b[1] = q\n    return ()\n"
        "def part1(a, b):\n    q = b[1]\n    p = a[0]\n    return (p, q)\n"
    )
    other = (
        "def kernel(x, y):\n    (m, n) = part1(x, y)\n    x[0] = n\n    x[1] = m\n    return ()\n"
        "def part1(f, g):\n    k = f[1]\n    t = g[0]\n    return (k, t)\n"
    )
    assert canonical_kernel(one)[0] == canonical_kernel(other)[0]
    swapped = other.replace("x[0] = n\n    x[1] = m", "x[0] = m\n    x[1] = n")
    assert canonical_kernel(one)[0] != canonical_kernel(swapped)[0]


def test_programs_are_equal_up_to_names() -> None:
    one, other = "for i in [0, i_n): C[] += A[i]", "for k in [0, n): D[] += B[k]"
    assert canonical((("program", one),)) == canonical((("program", other),))
    assert canonical((("program", one),)) != canonical((("program", one.replace("+=", "=")),))


def test_a_diff_has_the_names_of_the_newer_kernel() -> None:
    changed = RENAMED.replace("total = 0.0", "total = 1.0")
    assert alike(DOT, changed).splitlines()[1:] == RENAMED.splitlines()[1:]


def test_a_diff_gives_no_name_to_two_variables() -> None:
    assert alike("hi = m\nlo = hi\nend = lo", "lo = m\nm = lo\nstop = lo") == (
        "hi = m\nlo = hi\nstop = lo"
    )


CASES = [Case("g", text) for text in ("csr * 1", "csr * 2", "csr * 3", "csr * 4", "csr * 5")]


def records(*texts: str) -> dict[str, Record]:
    told = [("error", text[1:]) if text[0] == "!" else ("kernel", text) for text in texts]
    return {case.name: (part,) for case, part in zip(CASES, told, strict=True)}


def test_equal_changes_are_shown_once() -> None:
    before = records("a = 1\nx = 1", "a = 1\nx = 2", "b = 1", "c = 1", "! no such format")
    after = records("a = 2\nx = 1", "a = 2\nx = 2", "d = 1", "! fails", "e = 1")
    found = compared(CASES, before, after)
    assert [list(cases) for cases in found.changes.values()] == [CASES[:2], CASES[2:3]]
    assert (found.older, found.newer) == ([(CASES[3], " fails")], [(CASES[4], " no such format")])
    told = "\n".join(report(found, "main", "this code"))
    assert told.startswith("0 cases are unchanged; 3 are changed, in 2 ways\n")
    assert "1 cases do not run in this code:\n    csr * 4\n         fails" in told
    assert told.count("-a = 1\n+a = 2\n") == 1


def test_what_one_of_both_does_not_tell_is_not_compared() -> None:
    before = {case.name: (("kernel", "a = 1"),) for case in CASES}
    after = {name: (*record, ("call", "takes a: int64")) for name, record in before.items()}
    found = compared(CASES, before, after)
    assert (found.same, found.unknown, found.is_equal) == (CASES, ("call",), True)


def test_renamed_kernels_are_unchanged_but_for_names() -> None:
    before = records(*[DOT] * 5)
    after = records(RENAMED, *[DOT] * 3, DOT.replace("0.0", "1.0"))
    found = compared(CASES, before, after, names=True)
    assert (len(found.same), found.renamed) == (3, CASES[:1])
    assert len(compared(CASES, before, after).changes) == 2
    assert next(report(found, "a", "b")) == (
        "3 cases are unchanged, 1 more but for names; 1 are changed, in 1 ways"
    )


def test_a_file_a_case_is_written(tmp_path: Path) -> None:
    case = Case("of all", "csr * 2")
    record = (("operand", "csr: csr"), ("result", "csr"), ("kernel", "def kernel():\n    return"))
    write(tmp_path, {case.name: text_of(case, record)})
    assert (tmp_path / "of_all" / "csr_times_2.txt").read_text() == (
        "csr * 2\n\noperand csr: csr\nresult csr\n\n[kernel]\ndef kernel():\n    return\n"
    )


def test_the_package_of_a_commit_is_unpacked(tmp_path: Path) -> None:
    repository, tree = tmp_path / "repository", tmp_path / "tree"
    package = repository / "structarr"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("old = True\n")
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b.example"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], check=True)
    (package / "__init__.py").write_text("old = False\n")
    unpacked(repository, "HEAD", tree)
    assert (tree / "structarr" / "__init__.py").read_text() == "old = True\n"
    with pytest.raises(ValueError, match="git has no package at 'nowhere' in"):
        unpacked(repository, "nowhere", tree)


def test_another_package_than_the_one_that_is_meant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportError, match=r"structarr comes from .*, not from "):
        run.main([str(tmp_path / "out"), "1", str(tmp_path), ""])


def test_the_command_says_what_it_misses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main(["--write", "out", "--only", "no such text"]) == 2
    told = capsys.readouterr().err
    assert "give --write DIR or --against COMMIT" in told
    assert "no case of the corpus has 'no such text' in it" in told


def test_the_command_compares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "unpacked", lambda repository, commit, tree: None)
    told = iter(records_of_kernels())
    monkeypatch.setattr(command, "recorded", lambda *words: next(told))
    asked = ["--only", "csr.T @ csr", "--write", str(tmp_path), "--against", "main"]
    assert main(asked) == 1
    assert "0 cases are unchanged; 1 are changed" in capsys.readouterr().out


def records_of_kernels() -> list[dict[str, Record]]:
    (case,) = (one for one in corpus() if one.text == "csr.T @ csr")
    return [{case.name: (("kernel", text),)} for text in (DOT, RENAMED)]
