"""Kernels: two tiers that agree, the choice between them, and the two caches."""

import gc
import linecache
import os
import re
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from structarr._compiler import options, progress
from structarr._compiler.backend import behind, compile_time, kernel
from structarr._compiler.backend.disk import folder as disk, surroundings
from structarr._compiler.backend.kernel import Kernel, of_text, statistics
from structarr._compiler.backend.native import emit
from structarr._compiler.backend.native.store import identify
from structarr._compiler.backend.numba.target import NumbaTarget
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python import interpret
from structarr._compiler.runtime import HELPERS

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def fresh(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a process without kernels, with one cache on disk for all of them."""
    shared = tmp_path_factory.getbasetemp() / "structarr-cache"
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(shared))
    monkeypatch.setattr(kernel, "_kernels", {})


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def numba_started() -> None:
    """Let the policy see Numba as started, whichever test came first."""
    from structarr._compiler.backend.numba import compiled  # noqa: F401


def params(listed: str) -> tuple[Param, ...]:
    """Read "A:float64[] B:int64[]w n:int64"."""

    def one(text: str) -> Param:
        dtype = text.partition(":")[2]
        return Param(dtype.rstrip("w").removesuffix("[]"), "[" in dtype, dtype.endswith("w"))

    return tuple(one(text) for text in listed.split())


def both(source: str, listed: str, args: Callable[[], tuple[Any, ...]]) -> None:
    """Check that both tiers return and write the same."""
    built = of_text(source, params(listed))
    there, here = args(), args()
    assert built.compile()(*there) == built.interpret(here)
    for one, other in zip(there, here, strict=True):
        np.testing.assert_array_equal(one, other)


DOUBLE = """def kernel(A_val, C_val, n):
    for i in range(n):
        C_val[u(i)] = A_val[u(i)] + A_val[u(i)]
    return n
"""
DOUBLE_PARAMS = "A_val:float64[] C_val:float64[]w n:int64"


def double() -> Kernel:
    return of_text(DOUBLE, params(DOUBLE_PARAMS))


def double_args(n: int = 3) -> tuple[Any, ...]:
    return np.arange(float(n)), np.zeros(n), n


DOT = """def kernel(A_idx, A_val, p, p_end, B_idx, B_val, q, q_end, C_val):
    acc = float64(0)
    q = search(B_idx, A_idx[u(p)], q, q_end) if p < p_end else q_end
    if q < q_end:
        a = A_idx[u(p)]
        b = B_idx[u(q)]
        while True:
            if b < a:
                q += 1
                if q >= q_end:
                    break
                b = B_idx[u(q)]
            elif a < b:
                p += 1
                if p >= p_end:
                    break
                a = A_idx[u(p)]
            else:
                acc = radd(acc, A_val[u(p)] * B_val[u(q)])
                p += 1
                q += 1
                if p >= p_end or q >= q_end:
                    break
                a = A_idx[u(p)]
                b = B_idx[u(q)]
    C_val[u(0)] = acc
    return
"""
DOT_PARAMS = (
    "A_idx:int64[] A_val:float64[] p:int64 p_end:int64 "
    "B_idx:int32[] B_val:float64[] q:int64 q_end:int64 C_val:float64[]w"
)

CSR_TIMES_CSR = """def kernel(A_ptr, A_idx, A_val, B_ptr, B_idx, B_val, C_ptr, C_idx, C_val, rows):
    n = 0
    for i in range(rows):
        p = A_ptr[u(i)]
        p_end = A_ptr[u(i + 1)]
        q = B_ptr[u(i)]
        q_end = B_ptr[u(i + 1)]
        while p < p_end and q < q_end:
            a = A_idx[u(p)]
            b = B_idx[u(q)]
            if a < b:
                p += 1
            elif b < a:
                q = search(B_idx, a, q, q_end)
            else:
                C_idx[u(n)] = a
                C_val[u(n)] = A_val[u(p)] * B_val[u(q)]
                n += 1
                p += 1
                q += 1
        C_ptr[u(i + 1)] = n
    return n
"""
CSR_PARAMS = (
    "A_ptr:int64[] A_idx:int64[] A_val:float32[] B_ptr:int64[] B_idx:int32[] B_val:float32[] "
    "C_ptr:int64[]w C_idx:int32[]w C_val:float32[]w rows:int64"
)

RUNS_PLUS_RUNS = """def kernel(A_stop, A_val, B_stop, B_val, C_stop, C_val, stop):
    p = 0
    q = 0
    n = 0
    i = 0
    while i < stop:
        a = A_stop[u(p)]
        b = B_stop[u(q)]
        i = a if a < b else b
        value = uint8(A_val[u(p)] + B_val[u(q)])
        p += a == i
        q += b == i
        if n > 0 and C_val[u(n - 1)] == value:
            n -= 1
        C_stop[u(n)] = i
        C_val[u(n)] = value
        n += 1
    return n, i
"""
RUN_PARAMS = (
    "A_stop:int64[] A_val:uint8[] B_stop:int64[] B_val:uint8[] "
    "C_stop:int64[]w C_val:uint8[]w stop:int64"
)


def sparse_row(seed: int, n: int, dtype: str) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    index = np.flatnonzero(random.random(n) < 0.3).astype(dtype)
    return index, random.random(len(index))


def csr(seed: int, dtype: str) -> tuple[Any, ...]:
    random = np.random.default_rng(seed)
    stored = random.random((9, 30)) < 0.4
    pointers = np.concatenate([[0], stored.sum(1).cumsum()])
    values = random.random(pointers[-1]).astype("float32")
    return pointers, np.nonzero(stored)[1].astype(dtype), values


def test_dot_of_two_lists() -> None:
    def args() -> tuple[Any, ...]:
        (a, x), (b, y) = sparse_row(1, 200, "int64"), sparse_row(2, 200, "int32")
        return a, x, 0, len(a), b, y, 0, len(b), np.zeros(1)

    both(DOT, DOT_PARAMS, args)
    (a, x), (b, y) = sparse_row(1, 200, "int64"), sparse_row(2, 200, "int32")
    _, at, bt = np.intersect1d(a, b, return_indices=True)
    written = args()
    of_text(DOT, params(DOT_PARAMS))(written, 1e9)
    assert written[-1][0] == pytest.approx(x[at] @ y[bt])


def test_product_of_two_row_lists() -> None:
    def args() -> tuple[Any, ...]:
        outputs = np.zeros(10, "int64"), np.zeros(99, "int32"), np.zeros(99, "float32")
        return *csr(3, "int64"), *csr(4, "int32"), *outputs, 9

    both(CSR_TIMES_CSR, CSR_PARAMS, args)


def test_merge_of_runs_wraps_bytes_silently(recwarn: pytest.WarningsRecorder) -> None:
    def args() -> tuple[Any, ...]:
        a = np.array([3, 8, 10]), np.array([200, 7, 1], "uint8")
        b = np.array([5, 10]), np.array([100, 255], "uint8")
        return *a, *b, np.zeros(8, "int64"), np.zeros(8, "uint8"), 10

    both(RUNS_PLUS_RUNS, RUN_PARAMS, args)
    written = args()
    assert of_text(RUNS_PLUS_RUNS, params(RUN_PARAMS)).interpret(written) == (4, 10)
    assert written[5][:4].tolist() == [44, 107, 6, 0]
    assert not recwarn.list


def test_read_only_arrays_are_accepted() -> None:
    def args() -> tuple[Any, ...]:
        made = double_args()
        made[0].flags.writeable = False
        return made

    both(DOUBLE, DOUBLE_PARAMS, args)
    (a, x), (b, y) = sparse_row(1, 50, "int64"), sparse_row(2, 50, "int32")
    for array in (a, x, b, y):
        array.flags.writeable = False
    both(DOT, DOT_PARAMS, lambda: (a, x, 0, len(a), b, y, 0, len(b), np.zeros(1)))


def test_scalars_of_every_kind_arrive_typed() -> None:
    source = """def kernel(a, b, c, d, C_val):
    C_val[u(0)] = complex128(uint8(a + a)) + complex128(b) * c
    C_val[u(1)] = complex128(d)
    return
"""
    listed = "a:uint8 b:float32 c:complex128 d:bool C_val:complex128[]w"
    both(source, listed, lambda: (200, 0.1, 2j, True, np.zeros(2, complex)))
    typed = np.uint8(200), np.float32(0.1), np.complex128(2j), np.bool_(True)
    both(source, listed, lambda: (*typed, np.zeros(2, complex)))


def test_ufuncs_are_called_by_their_numpy_names() -> None:
    source = (
        "def kernel(x, C_val):\n    C_val[u(0)] = np.sqrt(np.maximum(x, float64(2)))\n    return"
    )
    both(source, "x:float64 C_val:float64[]w", lambda: (9.0, np.zeros(1)))


def test_division_is_numpys() -> None:
    source = "def kernel(x, y, C_val):\n    C_val[u(0)] = x / y\n    return\n"
    both(source, "x:float64 y:float64 C_val:float64[]w", lambda: (1.0, 0.0, np.zeros(1)))


ascending = st.lists(st.integers(0, 30), max_size=20).map(sorted)


@given(ascending, st.integers(-1, 31), st.data())
def test_searches_are_numpys(entries: list[int], key: int, data: st.DataObject) -> None:
    lo = data.draw(st.integers(0, len(entries)))
    hi = data.draw(st.integers(lo, len(entries)))
    buffer = np.array(entries, "int64")
    expected = lo + np.searchsorted(buffer[lo:hi], key)
    for name in ("search", "search_back", "bisect"):
        assert HELPERS[name](buffer, key, lo, hi) == expected
        assert interpret.NAMESPACE[name](buffer.data, key, lo, hi) == expected


def test_bisect_reads_nothing_beside_a_list_of_any_length() -> None:
    class Within(list[int]):
        def __getitem__(self, at: Any) -> Any:
            assert 3 <= at < len(self)
            return super().__getitem__(at)

    for length in range(70):
        listed = Within([-1, -1, -1, *range(1, 2 * length, 2)])
        for key in range(2 * length + 2):
            found = HELPERS["bisect"](listed, key, 3, len(listed))
            assert found == 3 + np.searchsorted(np.arange(1, 2 * length, 2), key)


@settings(deadline=None)
@given(st.lists(st.integers(-9, 99), max_size=60), st.data())
def test_sort_range_leaves_the_rest(entries: list[int], data: st.DataObject) -> None:
    lo = data.draw(st.integers(0, len(entries)))
    hi = data.draw(st.integers(lo, len(entries)))
    expected = entries[:lo] + sorted(entries[lo:hi]) + entries[hi:]
    source = "def kernel(A_idx, lo, hi):\n    sort_range(A_idx, lo, hi)\n    return\n"
    built = of_text(source, params("A_idx:int64[]w lo:int64 hi:int64"))
    for tier in ("interpreted", "compiled"):
        buffer = np.array(entries, "int64")
        with options.options(tier=tier):
            built((buffer, lo, hi), 1)
        assert buffer.tolist() == expected


@settings(deadline=None)
@given(st.sampled_from((9000, 300, 60)), st.data())
def test_list_marked_puts_in_order_what_is_marked(dim: int, data: st.DataObject) -> None:
    """By sorting few, by setting the bits of many and reading them, by the marks of most."""
    marked = data.draw(st.sets(st.integers(0, dim - 1), max_size=200))
    entries = data.draw(st.permutations(sorted(marked)))
    call = "list_marked(A_idx, A_mask, n, dim)"
    text = f"def kernel(A_idx, A_mask, n, dim):\n    {call}\n    return\n"
    built = of_text(text, params("A_idx:int64[]w A_mask:bool[]w n:int64 dim:int64"))
    for tier in ("interpreted", "compiled", "as it is written"):
        buffer, mask = np.full(dim + 1, -1), np.zeros(8 * HELPERS["words_of_marks"](dim), bool)
        buffer[: len(entries)] = entries
        mask[list(entries)] = True
        if tier == "as it is written":
            HELPERS["list_marked"](buffer, mask, len(entries), dim)
        else:
            with options.options(tier=tier):
                built((buffer, mask, len(entries), dim), 1)
        assert buffer[: len(marked)].tolist() == sorted(marked)
        assert np.count_nonzero(mask) == len(marked)  # no bit stays set


SUM = """def kernel(A_val, C_val, n):
    acc = float64(0)
    for i in range(n):
        acc = radd(acc, A_val[u(i)])
    C_val[u(0)] = acc
    return
"""


def test_radd_vectorises() -> None:
    from structarr._compiler.backend.numba import compiled

    types = tuple(map(compiled._numba_type, params(DOUBLE_PARAMS)))
    dispatcher = compiled._in_memory("kernel", SUM, types, ())
    (llvm,) = dispatcher.inspect_llvm().values()
    assert re.search(r"fadd reassoc <\d+ x double>", llvm)


def test_stored_code_is_of_helpers_as_they_are_treated_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = identify(SUM, params(DOUBLE_PARAMS))
    with monkeypatch.context() as patch:
        patch.setattr(surroundings, "digest", lambda folders: "other instructions")
        surroundings.of_code.cache_clear()
        assert identify(SUM, params(DOUBLE_PARAMS)) != before
    surroundings.of_code.cache_clear()
    assert identify(SUM, params(DOUBLE_PARAMS)) == before


def test_radd_keeps_nan() -> None:
    built = of_text(SUM, params(DOUBLE_PARAMS))
    values, out = np.ones(100), np.zeros(1)
    built((values, out, 100), 1e9)
    assert out[0] == 100
    values[3] = np.nan
    built((values, out, 100), 1e9)
    assert np.isnan(out[0])


def test_a_helper_may_bear_the_name_of_the_ufunc_it_calls() -> None:
    source = "def kernel(x, n):\n    return int64(ldexp(x, n))\n"
    both(source, "x:float64 n:int64", lambda: (3.0, 4))


def test_helpers_are_the_public_functions_alone() -> None:
    assert {"search", "bisect", "sort_range", "radd"} <= set(HELPERS)
    assert not {"u", "helper", "bisect_left", "traits"} & set(HELPERS)


def test_tracebacks_show_the_kernels_text() -> None:
    built = double()
    with pytest.raises(IndexError) as failure:
        built.interpret((np.zeros(2), np.zeros(2), 3))
    assert "C_val[u(i)] = A_val[u(i)] + A_val[u(i)]" in "".join(
        traceback.format_exception(failure.value)
    )


def test_the_text_of_a_kernel_goes_with_it() -> None:
    built = double()
    linecache.clearcache()
    built.interpret(double_args())
    (own,) = [name for name in linecache.cache if "structarr kernel" in name]
    kernel._kernels.clear()
    del built
    gc.collect()
    assert own not in linecache.cache


def test_the_same_text_is_the_same_kernel() -> None:
    assert double() is double()
    assert double() is not of_text(DOUBLE, params("A_val:float32[] C_val:float64[]w n:int64"))


def test_small_work_is_interpreted_and_large_work_compiled(numba_started: None) -> None:
    built = double()
    calls = statistics()["interpreted_calls"]
    assert built(double_args(), 3) == 3
    assert statistics()["interpreted_calls"] == calls + 1
    built(double_args(), 1e8)
    assert built.compiled is not None
    calls = statistics()["interpreted_calls"]
    built(double_args(), 3)
    assert statistics()["interpreted_calls"] == calls


def test_interpreted_time_adds_up_to_a_compilation_that_nobody_waits_for(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_time, "STEP", 0.0)  # no estimates: measured time alone decides
    begun: list[Callable[[], Any]] = []
    monkeypatch.setattr(behind, "later", begun.append)
    clock = count()
    monkeypatch.setattr(kernel, "perf_counter", lambda: next(clock) / 1000)  # a millisecond a call
    built = double()
    calls = 0
    while not begun and calls < 1000:
        built(double_args(300), 300)
        calls += 1
    assert built.compiled is None and built._pays(built._spent) and calls > 2
    built(double_args(), 3)
    (compiles,) = begun
    compiles()
    args = double_args()
    built(args, 3)
    assert built.compiled is not None and args[1].tolist() == [0, 2, 4]


@pytest.mark.parametrize("work", [3, 1e9])
def test_the_option_overrides_the_estimate(work: float) -> None:
    with options.options(tier="interpreted"):
        double()(double_args(), work)
        assert double().compiled is None
    with options.options(tier="compiled"):
        double()(double_args(), work)
        assert double().compiled is not None
    before = statistics()["interpreted_calls"]
    with options.options(tier="interpreted"):
        double()(double_args(), work)
    assert statistics()["interpreted_calls"] == before + 1


def test_a_long_compilation_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(progress, "SLOW", 0.0)
    with options.options(progress=heard.append):
        double().compile()
    assert heard == [heard[0]]
    assert "4 lines" in heard[0]


def test_threads_compile_a_kernel_once(empty_cache: Path) -> None:
    before = statistics()["compiled"]
    threads = [threading.Thread(target=double().compile) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statistics()["compiled"] == before + 1


def test_an_interrupted_compilation_can_be_repeated(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(emit, "object_file", interrupt)
        with pytest.raises(KeyboardInterrupt):
            double().compile()
    args = double_args()
    double().compile()(*args)
    assert args[1].tolist() == [0, 2, 4]


def test_an_error_of_the_compiler_is_raised(empty_cache: Path) -> None:
    built = of_text("def kernel(n):\n    return n + unknown\n", params("n:int64"))
    with pytest.raises(Exception, match="unknown"):
        built.compile()
    assert built.compiled is None


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import test_build as t
built = t.double()
args = t.double_args()
built.compile()(*args)
assert args[1].tolist() == [0, 2, 4], args
print(*t.statistics().values())
"""


def start_process() -> "subprocess.Popen[str]":
    script = SCRIPT.format(tests=str(Path(__file__).parent))
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)


def finish(process: "subprocess.Popen[str]") -> tuple[int, int]:
    output, _ = process.communicate()
    assert process.returncode == 0
    compiled, loaded, _ = map(int, output.split())
    return compiled, loaded


def test_processes_share_the_disk(empty_cache: Path) -> None:
    at_once = [finish(process) for process in [start_process() for _ in range(2)]]
    assert all(compiled + loaded == 1 for compiled, loaded in at_once)
    assert finish(start_process()) == (0, 1)


def entry_files(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


def recompile() -> tuple[int, int]:
    """Compile in a process that has forgotten the kernel; return how it went."""
    before = statistics()
    kernel._kernels.clear()
    args = double_args()
    double().compile()(*args)
    assert args[1].tolist() == [0, 2, 4]
    after = statistics()
    return after["compiled"] - before["compiled"], after["loaded"] - before["loaded"]


def truncate(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip_a_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.fixture
def by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have Numba call kernels, as those that raise errors of users."""
    from structarr._compiler.backend.numba import compiled

    monkeypatch.setattr(compiled, "_natively", lambda *_: None)
    monkeypatch.setattr(NumbaTarget, "is_due", lambda *_: True)


@pytest.mark.parametrize("damage", [truncate, flip_a_bit, lambda _: b""])
@pytest.mark.parametrize("suffix", [".nbi", ".nbc", ".json", ".kernel"])
def test_damaged_entries_are_rebuilt(
    empty_cache: Path,
    suffix: str,
    damage: Callable[[bytes], bytes],
    request: pytest.FixtureRequest,
) -> None:
    if suffix != ".kernel":
        request.getfixturevalue("by_numba")
    assert recompile() == (1, 0)
    assert recompile() == (0, 1)
    for path in entry_files(empty_cache):
        if path.suffix == suffix:
            path.write_bytes(damage(path.read_bytes()))
    assert recompile() == (1, 0)
    assert recompile() == (0, 1)


def test_a_damaged_source_is_written_again(empty_cache: Path, by_numba: None) -> None:
    recompile()
    (source,) = [path for path in entry_files(empty_cache) if path.suffix == ".py"]
    text = source.read_text()
    source.write_text("import os; os.abort()")
    assert recompile() == (0, 1)
    assert source.read_text() == text


def test_a_missing_file_is_made_again(empty_cache: Path, by_numba: None) -> None:
    recompile()
    for path in entry_files(empty_cache):
        path.unlink()
        recompile()
        assert recompile() == (0, 1)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    monkeypatch.setenv("STRUCTARR_CACHE_DIR", str(open_to_all))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    directory = disk.directory()
    assert directory == tmp_path / f"structarr-{os.getuid()}" / "kernels"
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="POSIX permissions")
def test_a_foreign_folder_is_not_used(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(empty_cache / "temp"))
    assert disk._directory.__wrapped__(str(empty_cache)) is None


@pytest.mark.parametrize(
    ("platform", "variable", "folder"),
    [
        ("linux", None, ".cache/structarr"),
        ("linux", "XDG_CACHE_HOME", "own/structarr"),
        ("darwin", None, "Library/Caches/structarr"),
        ("win32", "LOCALAPPDATA", "own/structarr/cache"),
    ],
)
def test_the_cache_is_where_the_platform_keeps_caches(
    platform: str,
    variable: str | None,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("STRUCTARR_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(variable, str(tmp_path / "own"))
    monkeypatch.setattr(disk.sys, "platform", platform)
    if platform == "win32":
        monkeypatch.delattr(os, "getuid", raising=False)
    assert disk._directory.__wrapped__(None) == tmp_path / folder / "kernels"


def test_a_file_or_a_link_is_no_folder_for_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.touch()
    link.symlink_to(tmp_path)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(file))
    for place in (file, link):
        assert disk._directory.__wrapped__(str(place)) is None


def test_what_is_built_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel, "debug", lambda stage: stage == "build")
    recompile()
    assert re.search(r"structarr: (compiled|loaded) \d+ lines in ", capsys.readouterr().err)


def test_without_a_disk_kernels_compile(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "directory", lambda: None)
    assert recompile() == (1, 0)
    assert not entry_files(empty_cache)


def test_a_full_disk_does_not_matter(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "replace", full)
    assert recompile() == (1, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_can_compile_while_the_parent_does(empty_cache: Path) -> None:
    thread = threading.Thread(target=double().compile)
    thread.start()
    child = os.fork()
    if child == 0:
        os._exit(0 if recompile()[0] + double_args()[2] >= 3 else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0


def test_importing_brings_no_compiler_and_nothing_else_that_few_programs_need() -> None:
    """Each takes 2 to 300 ms."""
    unwanted = ["numba", "llvmlite", "structarr._language", "structarr._explain", "fractions"]
    modules = "sys, structarr, structarr._compiler.backend.kernel"
    code = f"import {modules}; print([one for one in {unwanted} if one in sys.modules])"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True)
    assert done.stdout.strip() == b"[]"
