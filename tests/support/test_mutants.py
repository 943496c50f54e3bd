"""Mutants: a map of what tests reach, functions whose code is exchanged, and who finds them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from structarr._testing.mutation import reach
from structarr._testing.mutation.explained import Explanation, explanations
from structarr._testing.mutation.finding import Ways, serving
from structarr._testing.mutation.mutants import ROOT, Mutant, every_mutant, mutants

forks = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")

TEST = """
from pathlib import Path
from structarr.formats.entries import wide

def test_that_passes_once():
    wide(())
    assert not Path(__file__).with_name("passed").exists()
    Path(__file__).with_name("passed").touch()

def test_numbers():
    sum(range(10**6))  # it comes after the one that is shorter
    assert wide(()) == ()

def test_nothing():
    pass

def test_that_fails():
    assert wide(()) is None
"""


def entry(lines: dict[int, str], digest: str | None = None) -> dict[str, object]:
    path = "formats/entries.py"
    reached = {path: (digest or reach.digests()[path], lines)}
    tests = ["a.py::slow", "a.py::quick", "a.py::other"]
    return {"file": "a.py", "tests": tests, "seconds": [2.0, 1.0, 3.0], "reached": reached}


def one_of(path: str, number: int = 0) -> Mutant:
    return mutants(ROOT / path)[number]


def test_tests_that_reach_a_line_come_by_functions_and_then_by_their_time() -> None:
    found, mutant = reach.Reach(), one_of("formats/entries.py")
    names = ["a.py::one[slow]", "a.py::one[quick]", "a.py::other"]
    found.add({**entry({mutant.line: "7"}), "tests": names})
    near = {"file": "tests/formats/b.py", "tests": ["tests/formats/b.py::one"], "seconds": [9.0]}
    found.add({**entry({mutant.line: "1"}), **near})
    first = ["tests/formats/b.py::one", "a.py::one[quick]"]
    assert found.of(mutant) == [*first, "a.py::other", "a.py::one[slow]"]
    assert found.alike(["a.py::other"]) == names[:2]


def test_a_map_of_a_former_text_tells_of_the_lines_that_are_left(tmp_path: Path) -> None:
    mutant = one_of("formats/entries.py")
    lines = (ROOT / mutant.path).read_text().splitlines()
    former = [
        "# a line that has gone",
        *lines[: mutant.line],
        "",
        "# another",
        *lines[mutant.line :],
    ]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "former").write_text("\n".join(former))
    found = reach.Reach()
    found.add(entry({mutant.line + 1: "1", mutant.line + 3: "2"}, "former"), tmp_path)
    assert found.lines[mutant.path] == {mutant.line: ["a.py::slow"]}


def test_a_map_of_another_text_says_nothing() -> None:
    found, mutant = reach.Reach(), one_of("formats/entries.py")
    found.add(entry({mutant.line: "7"}, "of another text"))
    assert found.of(mutant) == []


def test_parts_of_lines_take_the_tests_of_lines_before_in_their_function() -> None:
    mutant = next(one for one in every_mutant() if reach.beginning(one) < one.line - 1)
    found = reach.Reach({"a::b": 1.0})
    found.lines[mutant.path] = {mutant.line - 1: ["a::b"]}
    assert found.of(mutant) == ["a::b"]
    found.lines[mutant.path] = {reach.beginning(mutant) - 1: ["a::b"]}
    assert found.of(mutant) == []


SWAPS = """
from structarr.formats import entries
from structarr._testing.mutation.mutants import ROOT, mutants
from structarr._testing.mutation.swapping import swap
print(entries.wide(()))
for one in mutants(ROOT / "formats/entries.py"):
    if one.what.startswith("return tuple") and "None" in one.what:
        print(swap(one) > 0, entries.wide(()))
        break
"""


def test_functions_of_this_process_become_those_of_a_mutant() -> None:
    run = subprocess.run([sys.executable, "-c", SWAPS], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["()", "True", "None"]


def test_a_process_within_imports_the_mutant(tmp_path: Path) -> None:
    """Nothing of the package may be there before."""
    (tmp_path / "asked.py").write_text(
        "from structarr.formats import entries\nprint(entries.wide(()))"
    )
    mutant = next(one for one in mutants(ROOT / "formats/entries.py") if "tuple" in one.what)
    script = ROOT / "_testing/mutation/within.py"
    own = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT.parent)])}
    words = [sys.executable, str(script), mutant.path, str(mutant.number), "asked"]
    run = subprocess.run(words, env=own, capture_output=True, text=True, check=True)
    assert run.stdout == "None\n"


@forks
def test_tests_that_reach_a_mutant_find_it(tmp_path: Path) -> None:
    """In a process that collects one file of tests, as the command's does with all of them."""
    pytest.importorskip("coverage")  # by which the command sees what tests reach
    file = tmp_path / "test_entries.py"
    file.write_text(TEST)
    folder = tmp_path / "map"
    own = [sys.executable, "-m", "structarr._testing.mutation.forking"]
    mapped = [*own, "map", str(folder), "0", "1", str(file)]
    subprocess.run(mapped, capture_output=True, check=True, cwd=ROOT.parent)
    (part,) = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    names = [one.rpartition("::")[2] for one in part["tests"]]
    assert names == [
        "test_that_passes_once",
        "test_numbers",
        "test_nothing",
    ]  # what fails without a mutant tells nothing

    all_of = mutants(ROOT / "formats/entries.py")
    mutant = next(one for one in all_of if one.what.startswith("return tuple"))
    other = one_of("formats/coded.py")
    asked = "".join([json.dumps(vars(one)) + "\n" for one in (mutant, other)])
    words = [*own, "ask", str(folder), "5", str(file)]
    run = subprocess.run(words, input=asked, capture_output=True, text=True, cwd=ROOT.parent)
    said = [json.loads(line[5:]) for line in run.stdout.splitlines() if line.startswith("said")]
    assert said[0].endswith("::test_numbers")  # the other one fails without the mutant, too
    assert said[1] == ""  # not reached


def test_what_no_test_reaches_is_asked_by_names() -> None:
    ways = Ways(0, 0.0, True, None)
    assert ways.found_by(one_of("formats/entries.py")) is None  # the time is over
    with serving(None, 1, True) as servers:
        assert servers is None


def test_mutants_that_are_explained_are_there() -> None:
    found = [(one, one.mutant()) for one in explanations()]
    assert [str(one) for one, mutant in found if mutant is None] == []
    assert len({mutant for _, mutant in found}) == len(found)
    assert all(len(one.why.split()) > 5 for one, _ in found)


def test_explanations_name_the_text_of_a_line() -> None:
    mutant = one_of("formats/entries.py")
    line = (ROOT / mutant.path).read_text().splitlines()[mutant.line - 1].strip()
    assert Explanation(mutant.path, line, mutant.what, "").mutant() == mutant
    assert Explanation(mutant.path, line + " ", mutant.what, "").mutant() is None
    assert Explanation(mutant.path, line, mutant.what, "", 9).mutant() is None
    assert Explanation("formats/nowhere.py", line, mutant.what, "").mutant() is None


def test_checks_of_our_own_are_no_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.py"
    file.write_text("""def own(a, b):
    assert a > 1
    if a:
        raise ValueError(1 + 2)
    c: int | None = b + a
    return list(zip(a, b, strict=True))
""")
    monkeypatch.setattr("structarr._testing.mutation.mutants.ROOT", tmp_path)
    told = [one.what for one in mutants(file)]
    assert told == [
        *("if a: -> if True:", "if a: -> if False:", "b + a -> b - a"),
        "return list(zip(a, b, strict=True)) -> return None",
    ]
