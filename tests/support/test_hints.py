"""Messages that say what to do instead: names of other libraries, misspelt names, tracebacks."""

import copy
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import structarr as sa
from structarr import errors
from structarr._support import hints


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("values", "use a.todense()"),
        ("A", "use a.todense()"),
        ("chunks", "in one piece"),
        ("indptr", "to_scipy"),
    ],
)
def test_attributes_of_other_libraries_have_a_hint(name: str, hint: str) -> None:
    a = sa.asarray([1.0, 0.0], format="list")
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; .*{hint}"):
        getattr(a, name)


def test_hints_are_for_what_is_not_there() -> None:
    assert not [name for name in hints.ATTRIBUTES if hasattr(sa.Array, name)]
    assert not [name for name in hints.FUNCTIONS if name in dir(sa)]


def test_hints_lead_to_what_is_there() -> None:
    tables = hints.ATTRIBUTES, hints.ASSIGNED, hints.FUNCTIONS
    told = " ".join(hint for table in tables for hint in table.values())
    assert [name for name in re.findall(r"structarr\.(\w+)", told) if not hasattr(sa, name)] == []
    assert [name for name in re.findall(r"\ba\.(\w+)", told) if not hasattr(sa.Array, name)] == []


@pytest.mark.parametrize("name", hints.ASSIGNED)
def test_attributes_that_numpy_lets_be_assigned_say_what_to_do(name: str) -> None:
    a = sa.asarray([1.0, 0.0], format="list")
    before = getattr(a, name)
    with pytest.raises(AttributeError, match=f"^{name} of an array .* arrays are values; "):
        setattr(a, name, before)
    np.testing.assert_array_equal(a.todense(), [1.0, 0.0])


def test_copies_and_questions_are_as_before() -> None:
    a = sa.asarray([1.0, 0.0], format="list")
    assert not hasattr(a, "__cuda_array_interface__")
    assert not hasattr(a, "frobnicate")
    for one in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        np.testing.assert_array_equal(one.todense(), [1.0, 0.0])


@pytest.mark.parametrize(
    ("name", "hint"),
    [("packbits", "use format"), ("asaray", "did you mean asarray"), ("COO", "use")],
)
def test_names_of_the_package_are_guessed(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; {hint}"):
        getattr(sa, name)
    with pytest.raises(AttributeError, match=r"no attribute 'frobnicate'$"):
        sa.frobnicate  # noqa: B018


def test_ragged_operands_say_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"inhomogeneous.*structarr\.asarray stores them"):
        sa.add([[1.0, 2.0], [3.0]], 1)


def test_a_method_in_a_program_says_to_write_the_loop() -> None:
    with pytest.raises(errors.ProgramError, match="instead of a method, write the loop"):
        sa.loops("y[i] = A[i, :].sum()", A=sa.ones((2, 2)))


def test_notebooks_do_not_show_frames_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(errors.FormatError) as caught:
        sa.asarray([[1.0]], format="crs")
    monkeypatch.delenv("STRUCTARR_DEBUG", raising=False)
    lines = caught.value._render_traceback_()
    assert lines[-1].startswith("structarr.errors.FormatError: format 'crs' is unknown")
    assert not any("name_table.py" in line for line in lines)
    assert any("test_hints.py" in line for line in lines)
    monkeypatch.setenv("STRUCTARR_DEBUG", "cin")
    assert any("name_table.py" in line for line in caught.value._render_traceback_())


UNCAUGHT = """
import threading
import structarr as sa

def mistake():
    sa.asarray([1, 2], format="crs")

{call}
"""


@pytest.mark.parametrize("call", ["mistake()", "threading.Thread(target=mistake).start()"])
@pytest.mark.parametrize("debug", [False, True])
def test_uncaught_errors_end_at_the_line_of_the_user(
    tmp_path: Path, call: str, debug: bool
) -> None:
    program = tmp_path / "program.py"
    program.write_text(UNCAUGHT.format(call=call))
    around = {key: value for key, value in os.environ.items() if key != "STRUCTARR_DEBUG"}
    if debug:
        around["STRUCTARR_DEBUG"] = "call"
    done = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, env=around, timeout=60
    )
    frames = re.findall(r'File "(.*?)"', done.stderr)
    own = str(Path(errors.__file__).parent)
    assert any(Path(one) == program for one in frames)
    assert any(one.startswith(own) for one in frames) == debug
    assert "FormatError: format 'crs' is unknown; did you mean csr?" in done.stderr
