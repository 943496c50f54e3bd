"""Kernels as object files: called by functions of their own, loaded by LLVM alone."""

import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend import kernel
from structarr._compiler.backend.disk import folder, surroundings
from structarr._compiler.backend.kernel import Kernel, of_text, statistics
from structarr._compiler.backend.native import engine, object_symbols, store
from structarr._compiler.backend.numba.target import NUMBA, NumbaTarget
from structarr._compiler.backend.params import Param

ROOT = Path(__file__).parents[3]

ECHO = """def kernel(A_val, n, C_val):
    C_val[u(0)] = A_val[u(0)]
    if n > 2:
        overflow()
    if n < 0:
        out_of_bounds(n, -n, 7)
    return n, n + 1
"""


@pytest.fixture(autouse=True, params=["by LLVM", "by Numba"])
def own_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    if request.param == "by Numba":
        monkeypatch.setattr(NumbaTarget, "is_due", lambda *_: True)
    tmp_path.chmod(0o700)
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernel, "_kernels", {})
    return tmp_path / "kernels"


def echo(dtype: str = "float64") -> Kernel:
    params = Param(dtype, True, False), Param("int64", False, False), Param(dtype, True, True)
    return of_text(ECHO, params)


def outcome(make: Any) -> tuple[int, int]:
    """Compile a kernel in a process that has forgotten it; how often one was compiled or loaded."""
    kernel._kernels.clear()
    before = statistics()
    make().compile()
    after = statistics()
    return after["compiled"] - before["compiled"], after["loaded"] - before["loaded"]


def test_a_kernel_is_loaded_and_raises_what_it_did() -> None:
    assert (outcome(echo), outcome(echo)) == ((1, 0), (0, 1))
    (built,) = kernel._kernels.values()
    call, out = built.compile(), np.zeros(1)
    assert call(np.ones(1), 2, out) == (2, 3) and out[0] == 1
    with pytest.raises(RuntimeError, match="outgrow the room"):
        call(np.ones(1), 3, out)
    with pytest.raises(IndexError) as found:
        call(np.ones(1), -4, out)
    assert found.value.args == (-4, 4, 7)


@pytest.mark.parametrize(
    "args",
    [
        (),
        (np.ones(1), 2),
        (1.0, 2, np.ones(1)),
        (np.ones((1, 1)), 2, np.ones(1)),
        (np.ones(4)[::2], 2, np.ones(1)),
        (np.ones(2, "float32"), 2, np.ones(1)),
        (np.ones(1), "2", np.ones(1)),
        (np.ones(1), 2.0, np.ones(1)),
    ],
)
def test_other_arguments_are_refused(args: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        echo().compile()(*args)


def test_integers_out_of_range_are_refused() -> None:
    with pytest.raises(OverflowError):
        echo().compile()(np.ones(1), 1 << 70, np.ones(1))


def test_subclasses_of_arrays_are_arrays(tmp_path: Path) -> None:
    held, out = np.memmap(tmp_path / "numbers", "float64", "w+", shape=1), np.zeros(1)
    held[0] = 5
    assert echo().compile()(held, 1, out) == (1, 2) and out[0] == 5


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "uint64", "float32", "complex64"])
def test_numbers_of_every_kind_come_and_go(dtype: str) -> None:
    text = "def kernel(a, C_val):\n    C_val[u(0)] = a\n"
    built = of_text(text, (Param(dtype, False, False), Param(dtype, True, True))).compile()
    kind = np.dtype(dtype)
    largest = {"u": np.iinfo, "i": np.iinfo}.get(kind.kind)
    values = [kind.type(1), kind.type(0)] + ([largest(kind).max] if largest else [kind.type(0.1)])
    for value in values:
        out = np.zeros(1, dtype)
        assert built(value, out) is None
        assert out[0] == kind.type(value)


def test_results_of_every_kind_come_back() -> None:
    text = "def kernel(a):\n    return a, uint64(a), a > 0, float64(a), int32(a)\n"
    built = of_text(text, (Param("int64", False, False),)).compile()
    assert built(-3) == (-3, (1 << 64) - 3, False, -3.0, -3)


def test_python_is_not_locked_while_a_kernel_runs(own_cache: Path) -> None:
    echo().compile()
    (file,) = own_cache.glob("*.kernel")
    found = store.find(file.stem)
    assert found is not None
    assert {"PyEval_SaveThread", "PyEval_RestoreThread"} <= set(found.symbols)


def test_without_the_way_to_call_them_kernels_are_numbas(monkeypatch: pytest.MonkeyPatch) -> None:
    from structarr._compiler.backend.numba import compiled

    monkeypatch.setattr(compiled, "undefined", lambda code: None)
    out = np.zeros(1)
    assert echo().compile()(np.ones(1), 2, out) == (2, 3)
    assert outcome(echo) == (0, 1)


@pytest.mark.parametrize("name", ["TYPE", "DATA", "AXES"])
def test_where_arrays_lie_otherwise_kernels_are_numbas(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, name, 48)  # what it is a view of, here nothing
    engine.reads_arrays.cache_clear()
    try:
        assert not engine.reads_arrays()
        assert echo().compile()(np.ones(1), 2, np.zeros(1)) == (2, 3)
    finally:
        monkeypatch.undo()
        engine.reads_arrays.cache_clear()
    assert engine.reads_arrays()


def test_code_of_another_processor_is_not_loaded(own_cache: Path) -> None:
    assert outcome(echo) == (1, 0)
    (file,) = own_cache.glob("*.kernel")
    head, _, code = folder.read(file.name).partition(b"\n")
    symbols, numba, (triple, _, features) = json.loads(head)
    head = json.dumps([symbols, numba, [triple, "another", features]]).encode()
    folder.write(file.name, head + b"\n" + code)
    assert outcome(echo) == (1, 0)
    assert outcome(echo) == (0, 1)


def test_symbols_that_are_not_there_do_not_end_the_process(own_cache: Path) -> None:
    assert outcome(echo) == (1, 0)
    (file,) = own_cache.glob("*.kernel")
    head, _, code = folder.read(file.name).partition(b"\n")
    symbols, numba, processor = json.loads(head)
    head = json.dumps([[*symbols, "no_such_function"], numba, processor]).encode()
    folder.write(file.name, head + b"\n" + code)
    assert outcome(echo) == (1, 0)


@pytest.mark.parametrize("name", ["numba", "processor", "versions"])
def test_surroundings_are_part_of_the_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ECHO, ()
    before = store.identify(*asked)
    surroundings.of_code.cache_clear()
    with monkeypatch.context() as patch:
        if name == "numba":
            patch.setenv("NUMBA_OPT", "1")
        elif name == "processor":
            patch.setattr(surroundings, "processor", lambda: "another")
        else:
            patch.setattr(surroundings, "_version", lambda package: "another")
        assert store.identify(*asked) != before
    surroundings.of_code.cache_clear()
    assert store.identify(*asked) == before


KNOWN = (surroundings._known, surroundings._name, surroundings._listed)


def test_the_packages_files_are_read_once(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    surroundings._known.cache_clear()
    surroundings.digest.cache_clear()
    found = surroundings.digest(("formats",))
    surroundings.digest.cache_clear()
    surroundings._known.cache_clear()
    monkeypatch.setattr(surroundings, "open", None, raising=False)
    assert surroundings.digest(("formats",)) == found


def test_a_changed_file_of_the_package_changes_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "PACKAGE", tmp_path)
    place = tmp_path / "rules" / "inner"
    place.mkdir(parents=True)
    found = set()
    for text in ("a = 1", "a = 2", "a = 1 "):
        (place / "rule.py").write_text(text)
        for known in (surroundings.digest, *KNOWN):
            known.cache_clear()
        found.add(surroundings.digest(("rules",)))
    for known in (surroundings.digest, *KNOWN):
        known.cache_clear()
    assert len(found) == 3


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_file_that_others_may_write_is_not_read(own_cache: Path) -> None:
    folder.write("name", b"content")
    assert folder.read("name") == b"content"
    (own_cache / "name").chmod(0o622)
    assert folder.read("name") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_folder_is_asked_anew_who_may_write_to_it(own_cache: Path) -> None:
    folder.write("name", b"content")
    own_cache.chmod(0o777)
    assert folder.read("name") is None
    own_cache.chmod(0o700)


def test_a_read_only_folder_serves_what_it_has(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("name", b"content")

    def refused(*_: Any) -> None:
        raise PermissionError

    for function in ("utime", "replace"):
        monkeypatch.setattr(os, function, refused)
    assert folder.read("name") == b"content"
    folder.write("other", b"content")
    assert folder.read("other") is None


def test_what_was_not_used_for_longest_goes(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRUCTARR_CACHE_SIZE", "0.01")
    monkeypatch.setattr(folder, "_written", count(1))  # no look at the size before we ask
    for k in range(5):
        folder.write(f"{k}.kernel", bytes(3000))
        os.utime(own_cache / f"{k}.kernel", (k, k))
    assert folder.read("1.kernel") is not None  # and used now
    folder.shrink(own_cache)
    assert sorted(one.name for one in own_cache.iterdir()) == ["1.kernel", "4.kernel"]


def test_files_are_few_enough_to_be_looked_at(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "FILES", 10)
    monkeypatch.setattr(folder, "_written", count(1))
    for k in range(11):
        folder.write(f"{k}.plan", b"small")
        os.utime(own_cache / f"{k}.plan", (k, k))
    folder.shrink(own_cache)
    assert {one.stem for one in own_cache.iterdir()} == {str(k) for k in range(3, 11)}


def test_the_folder_is_looked_at_now_and_then(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Path] = []
    monkeypatch.setattr(folder, "shrink", looks.append)
    monkeypatch.setattr(folder, "BETWEEN", 1)
    folder.write("a.plan", b"one")
    folder.write("b.plan", b"another")
    assert looks == [own_cache]
    mark = own_cache / folder.LOOKED
    for moved in (
        -2 * folder.APART,
        2 * folder.APART,
    ):  # long ago, or a clock was set back
        os.utime(mark, (mark.stat().st_mtime + moved,) * 2)
        folder.write("c.plan", b"later")
    assert looks == 3 * [own_cache]


def test_only_object_files_of_a_known_kind_are_read() -> None:
    assert object_symbols.undefined(b"MZ and so on") is None
    assert engine.lacking(["PyLong_FromLong", "no_such_function"]) == ["no_such_function"]


SECOND = """
import sys, numpy as np, structarr as sa
a = sa.asarray(np.arange(12.0).reshape(3, 4), format="csr")
with sa.options(tier="compiled"):
    found = np.asarray(a @ np.ones(4))
assert found.tolist() == [6, 22, 38], found
print("numba" in sys.modules)
"""


@pytest.mark.parametrize("own_cache", ["by LLVM"], indirect=True)
def test_processes_do_without_numba() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = [
        subprocess.run([sys.executable, "-c", SECOND], env=env, check=True, capture_output=True)
        for _ in range(2)
    ]
    assert [one.stdout.split() for one in done] == [[b"False"], [b"False"]]


def below_zero(x: float) -> float:
    if x < 0:
        raise ValueError("below zero")
    return x * 2.0


def without_words(x: float) -> float:
    if x < 0:
        raise ValueError
    return x * 2.0


def with_its_value(x: float) -> float:
    if x < 0:
        raise ValueError("at", x)
    return x * 2.0


@pytest.mark.parametrize(
    ("double", "args"),
    [(below_zero, ("below zero",)), (without_words, ()), (with_its_value, ("at", -2.0))],
)
def test_an_error_of_a_users_operator_is_raised(double: Any, args: tuple[Any, ...]) -> None:
    operator = sa.operator(double, name=double.__name__, dtype="float64")
    with sa.options(tier="compiled"):
        assert operator(sa.asarray([1.0, 2.0])).todense().tolist() == [2, 4]
        with pytest.raises(ValueError) as found:
            operator(sa.asarray([1.0, -2.0])).compute()
    assert found.value.args == args


def test_kernels_make_arrays_without_numba(own_cache: Path) -> None:
    text = "def kernel(n):\n    room = new_fingers(n)\n    room[u(0)] = n\n    return room[u(0)]\n"

    def made() -> Kernel:
        return of_text(text, (Param("int64", False, False),))

    assert made().compile()(5) == 5
    assert outcome(made) == (0, 1)
    (file,) = own_cache.glob("*.kernel")
    found = store.find(file.stem)
    assert found is not None and found.numba == NUMBA.is_due(())


def test_kernels_may_need_functions_of_numba(own_cache: Path) -> None:
    text = "def kernel(a, C_val):\n    C_val[u(0)] = a ** a\n"
    params = Param("complex128", False, False), Param("complex128", True, True)
    out = np.zeros(1, complex)
    of_text(text, params).compile()(2 + 1j, out)
    assert outcome(lambda: of_text(text, params)) == (0, 1)
    (file,) = own_cache.glob("*.kernel")
    found = store.find(file.stem)
    assert found is not None and found.numba
    np.testing.assert_allclose(out, (2 + 1j) ** (2 + 1j))


BLAS = """
import sys, numpy as np
from structarr._compiler.backend.numba import compiled
import numba
assert "scipy.linalg" not in sys.modules
dot = numba.njit(lambda a, b: np.dot(a, b))
assert dot(np.ones((2, 2)), np.ones(2)).tolist() == [2, 2]
assert "scipy.linalg" in sys.modules
"""


@pytest.mark.long
def test_numba_finds_blas_for_others_when_it_is_called() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", BLAS], env=env, check=True)
