"""Mutants: a map of what tests reach, functions whose code is exchanged, and who finds them."""

from __future__ import annotations

import ast
import builtins
import json
import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from structarr._testing.mutation import reach
from structarr._testing.mutation.explained import Explanation, explanations
from structarr._testing.mutation.finding import FORKING, MAPPING, Ways, serving
from structarr._testing.mutation.mutants import ROOT, Mutant, changed, mutants, mutants_of, mutated
from structarr._testing.mutation.noting import ASKED, ORDERED, REACHED, Notes, noted

OWN = {**os.environ, "PYTHONPATH": str(ROOT.parent)}
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


def entry(bits: dict[int, str], digest: str | None = None) -> dict[str, object]:
    """What a file of tests says that it reaches, as it is read from a map."""
    path = "formats/entries.py"
    reached = {path: (digest or reach.digests()[path], {str(k): one for k, one in bits.items()})}
    tests = ["a.py::slow", "a.py::quick", "a.py::other"]
    return {
        "file": "a.py", "tests": tests, "seconds": [2.0, 1.0, 3.0],
        "reached": reached, "at_import": {path: [3]},
    }  # fmt: skip


def one_of(path: str, number: int = 0) -> Mutant:
    return mutants(ROOT / path)[number]


def test_tests_that_reach_a_mutant_come_by_functions_and_then_by_their_time() -> None:
    found, mutant = reach.Reach(), one_of("formats/entries.py")
    names = ["a.py::one[slow]", "a.py::one[quick]", "a.py::other"]
    found.add({**entry({0: "7"}), "tests": names})
    for file, seconds in {"tests/golden/test_a.py": 9.0, "tests/formats/b.py": 8.0}.items():
        near = {"file": file, "tests": [f"{file}::one"], "seconds": [seconds]}
        found.add({**entry({0: "1"}), **near})
    first = ["tests/formats/b.py::one", "a.py::one[quick]", "tests/golden/test_a.py::one"]
    assert found.of(mutant) == [*first, "a.py::other", "a.py::one[slow]"]
    assert found.seconds_of("a.py::one[slow]") == found.seconds_of("a.py::one[new]") == 2.0


def test_a_map_tells_which_mutants_it_knows() -> None:
    found = reach.Reach()
    found.add(entry({}))
    assert [found.knows(one_of("formats/entries.py", k)) for k in (2, 3)] == [True, False]
    assert not found.knows(one_of("formats/coded.py"))


def test_a_map_of_a_former_text_tells_of_the_mutants_that_are_left(tmp_path: Path) -> None:
    mutant = one_of("formats/entries.py", 4)
    lines = (ROOT / mutant.path).read_text().splitlines()
    begins = next(k for k, line in enumerate(lines) if line.startswith("def "))
    gone = ["def gone(a, b):", "    return a + b", ""]
    (tmp_path / "texts").mkdir()
    former = "\n".join([*lines[:begins], *gone, *lines[begins:]])
    (tmp_path / "texts" / "former").write_text(former)
    found = reach.Reach()
    found.add(entry({0: "1", 6: "2"}, "former"), tmp_path)
    assert found.of(mutant) == ["a.py::quick"]
    assert found.of(one_of("formats/entries.py", 0)) == []
    assert found.knows(mutant) and not found.knows(one_of("formats/entries.py", 1))


def test_a_map_of_another_text_says_nothing() -> None:
    found, mutant = reach.Reach(), one_of("formats/entries.py")
    found.add(entry({0: "7"}, "of another text"))
    assert found.of(mutant) == []
    assert not found.knows(mutant)


SWAPS = """
from structarr.formats import entries
from structarr._testing.mutation.mutants import ROOT, mutants
from structarr._testing.mutation.swapping import Living
print(entries.wide(()))
living = Living()
for one in mutants(ROOT / "formats/entries.py"):
    if one.what.startswith("return tuple") and "None" in one.what:
        print(living.become(one) > 0, entries.wide(()))
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
    file = tmp_path / "test_entries.py"
    file.write_text(TEST)
    folder = tmp_path / "map"
    subprocess.run(
        [*MAPPING, str(folder), "0", "1", str(file)],
        capture_output=True, check=True, cwd=ROOT.parent, env=OWN,
    )  # fmt: skip
    (part,) = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    names = [one.rpartition("::")[2] for one in part["tests"]]
    # what fails without a mutant tells nothing
    assert names == ["test_that_passes_once", "test_numbers", "test_nothing"]
    assert {bits for bits in part["reached"]["formats/entries.py"][1].values()} == {"3"}

    all_of = mutants(ROOT / "formats/entries.py")
    mutant = next(one for one in all_of if one.what.startswith("return tuple"))
    other = one_of("formats/coded.py")
    asked = "".join([json.dumps(vars(one)) + "\n" for one in (mutant, other)])
    run = subprocess.run(
        [*FORKING, str(folder), "5", str(file)],
        input=asked, capture_output=True, text=True, cwd=ROOT.parent,
    )  # fmt: skip
    said = [json.loads(line[5:]) for line in run.stdout.splitlines() if line.startswith("said")]
    assert said[0][0].endswith("::test_numbers")  # the other one fails without the mutant, too
    assert said[1][0] == "-"  # not reached


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


ASKS = """def own(a) -> bool:
    if a:
        return False
    return True

def other(a) -> bool | None:
    return False
"""


def test_none_is_no_mutant_of_a_truth_that_is_denied() -> None:
    found = mutants_of(ASKS, "formats/asks.py")
    told = [one.what for one in found]
    truths = ["False -> True", "return True -> return None", "True -> False"]
    assert told == [
        *("if a: -> if True:", "if a: -> if False:", *truths),
        *("return False -> return None", "False -> True"),
    ]
    assert [one.number for one in found] == [0, 1, 3, 4, 5, 6, 7]
    assert ast.unparse(mutated(ASKS, 5)) == ASKS.strip().replace("True", "False")


NOTED = """def one(a, b):
    if a < b:
        return 3
    match a:
        case 5:
            a = -b
    return b if a == b else None
"""


def places(*calls: tuple[int, int]) -> list[str]:
    """The mutants of a text that would differ in some calls."""
    notes, tree = Notes(), ast.parse(NOTED)
    changes = defaultdict(list)
    for number, node in enumerate(changed(tree)):
        changes[id(node)].append(number)
    notes.seen.extend(bytes(len(changed(tree))))
    within: dict[str, Any] = dict(vars(builtins))
    within.update({REACHED: notes.reached, ORDERED: notes.ordered, ASKED: notes.asked})
    plain: dict[str, Any] = {}
    exec(NOTED, plain)
    exec(compile(noted(tree, changes, 0), "noted", "exec"), {"__builtins__": within}, within)
    for a, b in calls:
        assert within["one"](a, b) == plain["one"](a, b)
    found = mutants_of(NOTED, "formats/noted.py")
    return [one.what for one, seen in zip(found, notes.seen, strict=False) if seen]


def test_a_place_is_noted_where_its_mutant_goes_on_otherwise() -> None:
    assert places() == []
    assert places((1, 2)) == ["if a < b: -> if False:", "return 3 -> return None", "3 -> 4"]
    later = ["return b if a == b else None -> return None", "a == b -> a != b"]
    assert {*later} < {*places((2, 1))}
    assert "a < b -> a <= b" not in places((2, 1), (1, 2))
    assert "a < b -> a <= b" in places((2, 2))
    assert "b if a == b else None -> b" in places((2, 1))
    assert "b if a == b else None -> None" in places((2, 2))


def test_constants_of_patterns_are_noted_where_they_are_matched() -> None:
    assert "5 -> 6" in places((4, 2))
    assert "-b -> b" not in places((4, 2))
    assert "-b -> b" in places((5, 2))
