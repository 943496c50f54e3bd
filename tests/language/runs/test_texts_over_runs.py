"""Programs over runs as texts: what they give and refuse, and that they are printed again."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

import structarr as sa
from structarr import ndimage, runs, trailing_zeros
from structarr._api.programs.over_runs import RunKernel
from structarr.errors import ProgramError

PIXELS = np.random.default_rng(0).random((12, 70)) < 0.6
PAGE = sa.asarray(PIXELS, format="sparse-rle")
LONGEST = """
most = 0
for i in range(A.shape[0]):
    for start, stop, value in runs(A[i]):
        most = max(most, stop - start)
return most
"""
COMPONENTS = """
def root(parent, node):
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = parent[node]
    return node

numbers, count = sa.zeros(A.shape, dtype=np.int64), 0
for i in range(A.shape[0]):
    for start, stop, _ in runs(A[i]):
        count += 1
        parent[count] = count
        numbers[i, start:stop] = count
for i in range(1, A.shape[0]):
    for start, stop, a, b in runs(numbers[i], numbers[i - 1]):
        if a and b:
            x = root(parent, a)
            y = root(parent, b)
            parent[max(x, y)] = min(x, y)
found = sa.zeros(A.shape, dtype=np.int64)
for i in range(A.shape[0]):
    for start, stop, number in runs(numbers[i]):
        found[i, start:stop] = root(parent, number)
return found
"""
LIMIT, SHARE = 3, np.float64(0.5)


def doubled(x: int) -> int:
    return 2 * x


@sa.kernel
def measured(A: Any, weights: Any) -> Any:
    """What a text has no place for: this, notes of types, and names of a module."""
    total: float = 0.0
    bits = 0
    for i in range(A.shape[0]):
        for start, stop, _ in runs(A[i]):
            if stop - start > LIMIT:
                total += SHARE * doubled(stop - start) * weights[i]
                bits += trailing_zeros(stop)
    return total, bits


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with sa.options(tier="interpreted"):
        yield


def longest(row: Any) -> int:
    return max(map(len, "".join(map(str, row.astype(int))).split("0")))


def test_values() -> None:
    assert sa.loops(LONGEST, A=PAGE) == max(map(longest, PIXELS))
    assert sa.loops(LONGEST, A=PIXELS) == max(map(longest, PIXELS))


def test_operands_are_not_changed() -> None:
    parent = np.zeros(PAGE.nstored + 1, np.int64)
    found = sa.loops(COMPONENTS, A=PAGE, parent=parent)
    labels, count = ndimage.label(PAGE)
    assert found.format == "sparse-rle" and not parent.any()
    assert len({*zip(found.ravel().tolist(), labels.ravel().tolist(), strict=True)}) == count + 1


def test_a_text_of_a_function_is_a_kernel() -> None:
    text = "def most(A):\n" + "".join(f"    {line}\n" for line in LONGEST.strip().split("\n"))
    kernel = sa.kernel(text)
    assert repr(kernel) == "<structarr kernel most over runs>"
    assert kernel(PAGE) == kernel.py_func(PIXELS) == sa.loops(LONGEST, A=PAGE)
    assert pickle.loads(pickle.dumps(kernel))(PAGE) == kernel(PAGE)
    assert kernel.text == text.strip()


def test_functions_are_printed_with_what_is_around_them() -> None:
    text = measured.text
    assert text == sa.kernel(text).text
    assert text.startswith("def doubled(x):\n    return 2 * x") and "LIMIT = 3" in text
    assert "Any" not in text and "sa.trailing_zeros(stop)" in text
    weights = np.random.default_rng(1).random(12)
    assert sa.kernel(text)(PAGE, weights) == measured(PAGE, weights)
    assert measured(PAGE, weights) == pytest.approx(measured.py_func(PIXELS, weights))


def programs() -> dict[str, tuple[Any, str, RunKernel]]:
    """All of the package's own."""
    found = {}
    for package in ("structarr._api.images", "structarr._api.masks"):
        for one in iter_modules(import_module(package).__path__):
            module = import_module(f"{package}.{one.name}")
            for name, value in vars(module).items():
                if isinstance(value, RunKernel):
                    found[f"{one.name}.{name}"] = module, name, value
    return found


@pytest.mark.parametrize("name", programs())
def test_every_program_of_the_package_is_printed_and_read_again(name: str) -> None:
    program = programs()[name][2]
    again = sa.kernel(program.text)
    assert again.text == program.text and again.parameters == program.parameters


def test_programs_that_are_read_again_do_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = sa.asarray(np.kron(PIXELS[:6, :10], np.ones((2, 7), np.int64)), format="sparse-rle")

    def results() -> list[Any]:
        return [
            ndimage.label(PAGE)[0],
            ndimage.binary_erosion(PAGE, size=(3, 3)),
            ndimage.binary_dilation(PAGE, size=(1, 5)),
            ndimage.binary_fill_holes(PAGE),
            ndimage.distance_transform_cdt(PAGE),
            ndimage.distance_transform_edt(PAGE),
            ndimage.find_boundaries(labels),
            ndimage.regions(labels, properties=("perimeter",))["perimeter"],
        ]

    before = [np.asarray(one) for one in results()]
    for module, name, program in programs().values():
        monkeypatch.setattr(module, name, sa.kernel(program.text))
    for one, other in zip(before, results(), strict=True):
        np.testing.assert_array_equal(one, np.asarray(other))


REFUSED = {
    "import os\nwhile A: pass\nreturn A": "this is no statement of programs over runs",
    "x = [i for i in A]\nwhile x: x = 0\nreturn x": "this is no expression of programs over runs",
    "x = A.tofile\nwhile x: x = 0\nreturn x": "texts have no .tofile here",
    "x = np.load\nwhile x: x = 0\nreturn x": "texts have no .load here",
    "x = sa.read\nwhile x: x = 0\nreturn x": "texts have no .read here",
    "x = __import__\nwhile x: x = 0\nreturn x": "__import__ is not known here",
    "x = locals()\nwhile x: x = 0\nreturn x": "locals is not known here",
    "x = (lambda: 1)\nwhile x: x = 0\nreturn x": "this is no expression",
    "x = 3\nwhile x: x -= 1": "a program over runs returns what it computed",
    "x = 3\nwhile x: x -= 1\ndef f(a): return a\nreturn x": "functions stand before the statements",
    "def f(a):\n    def g(b): return b\n    return a\nwhile A: A = 0\nreturn A": "by itself",
    "def f(a=1): return a\nx = 3\nwhile x: x -= 1\nreturn x": "without a default",
    "@f\ndef f(a): return a\nx = 3\nwhile x: x -= 1\nreturn x": "decorators are not supported",
    "x <<max>>= 3\nwhile x: x -= 1\nreturn x": "updates by named operators",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    with pytest.raises(ProgramError, match=REFUSED[text].replace(".", r"\.")):
        sa.loops(text, A=PAGE, f=1)


def test_errors_show_the_line_of_the_text() -> None:
    loop = "for i in range(3):\n    for start, stop, v in runs(A[i + 10]):\n        count += 1\n"
    text = f"count = 0\n{loop}return count"
    with pytest.raises(IndexError) as found:
        sa.loops(text, A=PAGE)
    assert str(found.value).splitlines() == [
        "index 12 is out of bounds for axis 0 of A, of length 12",
        "  line 3, column 34",
        "    for start, stop, v in runs(A[i + 10]):",
        "                                 ^^^^^^",
    ]


def test_operands_are_those_of_the_text() -> None:
    with pytest.raises(TypeError, match="the program has no name 'B': it has A"):
        sa.loops(LONGEST, A=PAGE, B=PAGE)
    with pytest.raises(TypeError, match="the program lacks the operands A"):
        sa.loops(LONGEST)
    with pytest.raises(TypeError, match="are for loops over elements"):
        sa.loops(LONGEST, A=PAGE, order="ij")


BESIDE = np.ones(3)


@sa.kernel
def beside(A: Any) -> int:
    found = 0
    for start, stop, _ in runs(A[0]):
        found += BESIDE[start] + stop
    return found


def test_arrays_around_a_function_have_no_place_in_its_text() -> None:
    with pytest.raises(ProgramError, match="a text has no place for BESIDE"):
        _ = beside.text
