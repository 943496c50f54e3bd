"""Names that a user may choose beside every name that the compiler makes."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

import structarr as sa
from structarr._compiler.backend.kernel import Kernel
from structarr._compiler.backend.python.interpret import NAMESPACE
from structarr._scheduler import pipeline
from structarr._scheduler.tensor_names import unused
from structarr.errors import ProgramError

A = np.array([[0, 2, 0, 0], [1, 0, 3, 3], [0, 0, 0, 4], [5, 6, 0, 0]], float)
X = np.array([0.0, 1.0, 2.0, 2.0])


class Roles(NamedTuple):
    """A program, the names in it that stand for something, and what it computes."""

    text: str
    names: tuple[str, ...]
    operands: Mapping[str, Any]
    wanted: Any
    formats: tuple[dict[str, str], ...]


WEIGHTED = Roles(
    """
def {program}({A}, {x}, {s}):
    {y} = np.zeros({A}.shape[0])
    for {i} in range({A}.shape[0]):
        {t} = 0.0
        for {j} in range({A}.shape[1]):
            {t} += {A}[{i}, {j}] * {x}[{j}]
        {v} = {t} * {s}
        {y}[{i}] = {v} * {v} + {t}
    return {y}
""",
    ("program", "A", "x", "s", "y", "i", "t", "j", "v"),
    {"A": A, "x": X, "s": 2.5},
    (A @ X * 2.5) ** 2 + A @ X,
    tuple(
        {"A": one, "x": other}
        for one, other in [
            *(("csr", "dense"), ("rle", "rle"), ("band", "list"), ("vbl", "packbits")),
            *(
                ("packbits", "bitmap"),
                ("dcsr", "vbl"),
                ("sparse-rle", "sparse-rle"),
                ("csc", "band"),
            ),
            *(("dia", "hash"), ("bsr", "dense"), ("ragged", "list"), ("dense", "dense")),
        ]
    ),
)

PRODUCT = Roles(
    """
def {program}({A}, {B}):
    {C} = np.zeros(({A}.shape[0], {B}.shape[1]))
    for {i} in range({A}.shape[0]):
        for {k} in range({A}.shape[1]):
            for {j} in range({B}.shape[1]):
                {C}[{i}, {j}] += {A}[{i}, {k}] * {B}[{k}, {j}]
    return {C}
""",
    ("program", "A", "B", "C", "i", "k", "j"),
    {"A": A, "B": A.T},
    A @ A.T,
    ({"A": "csr", "B": "csr"}, {"A": "csr", "B": "dense"}, {"A": "rle", "B": "csr"}),
)

PROGRAMS = {"weighted": WEIGHTED, "product": PRODUCT}

LISTED = [
    *(
        "x_val",
        "x0_idx",
        "A_val",
        "A1_ptr",
        "A1_idx",
        "y_val",
        "W",
        "W_val",
        "Arow",
        "Aa",
        "a",
        "Y",
    ),
    *(
        "size",
        "size0",
        "size0_1",
        "sizes",
        "scalar",
        "scalar0",
        "scalars",
        "fill",
        "fill1",
        "fillet",
    ),
    *("whole", "whole0", "i_n", "n", "I", "J", "i_here", "j_2", "lo", "hi", "at", "u", "kernel"),
    *(
        "part1",
        "fingers",
        "fingers_key",
        "there_",
        "radd",
        "search",
        "overflow",
        "float64",
        "int64",
    ),
    *("len", "print", "sum", "id", "match", "type", "_", "_x", "été", "Ω", "x1", "_tick", "True_"),
    *("y0_n", "y_0_n", "a_q", "a1_end", "t_2", "out", "C0_n_tight", "C1_n", "C1_n_before"),
]
REFUSED = {"np", "range", "min", "max", "abs", "sum", "len", "print", "float64", "int64"}
"""Names that mean something in programs: they may be refused, and are not misunderstood."""


def run(roles: Roles, names: Mapping[str, str], formats: Mapping[str, str]) -> Any:
    held = [
        sa.asarray(value, format=formats[name]) if name in formats else value
        for name, value in roles.operands.items()
    ]
    return sa.kernel(roles.text.format(**names))(*held)


def check(roles: Roles, role: str, name: str, formats: Mapping[str, str]) -> None:
    names = {one: one for one in roles.names} | {role: name}
    if len({*names.values()}) < len(names):
        return  # another of the program's own
    try:
        found = run(roles, names, formats)
    except ProgramError:
        assert name in REFUSED or name in vars(builtins) or name in NAMESPACE
        return
    np.testing.assert_allclose(np.asarray(found), roles.wanted, err_msg=f"{role}: {name}")


def test_names_of_locals_that_look_like_buffers() -> None:
    with sa.options(tier="interpreted"):
        for name in LISTED[:12]:
            check(WEIGHTED, "v", name, WEIGHTED.formats[0])


@pytest.mark.parametrize("role", WEIGHTED.names)
def test_names_of_users(role: str) -> None:
    """Each of the names in another role; at length, every one in every role."""
    start = WEIGHTED.names.index(role)
    with sa.options(tier="interpreted"):
        for name in LISTED[start :: len(WEIGHTED.names)]:
            check(WEIGHTED, role, name, WEIGHTED.formats[start % 3])


@pytest.mark.parametrize("role", ["A", "B", "C"])
def test_names_of_users_beside_workspaces(role: str) -> None:
    with sa.options(tier="interpreted"):
        for name in ("W", "w", "Arow", "Aa", "C1_n"):
            check(PRODUCT, role, name, PRODUCT.formats[0])


def made(monkeypatch: pytest.MonkeyPatch, roles: Roles, formats: Mapping[str, str]) -> set[str]:
    """The names in a program's kernels."""
    texts: list[str] = []
    build = pipeline.build

    def noting(*asked: Any) -> Kernel:
        texts.append(build(*asked).source)
        return build(*asked)

    with monkeypatch.context() as patched:
        patched.setattr(pipeline, "build", noting)
        run(roles, {one: f"{one}q" for one in roles.names}, formats)  # of no kernel that is there
        run(roles, {one: one for one in roles.names}, formats)
    words = {word for text in texts for word in re.findall(r"[^\W\d]\w*", text)}
    return {re.sub(r"(?<=[a-zA-Z])q(?=\d*_)", "", word) for word in words}


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_name_of_the_compiler(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    roles = PROGRAMS[program]
    with sa.options(tier="interpreted"):
        tried = {name for name in (*NAMESPACE, *LISTED) if not is_word(name)}
        for role, name in product(roles.names, sorted(tried)):
            check(roles, role, name, roles.formats[0])
        for formats in roles.formats:
            found = {name for name in made(monkeypatch, roles, formats) if not is_word(name)}
            for role, name in product(roles.names, sorted(found - tried)):
                check(roles, role, name, formats)
            tried |= found


def is_word(name: str) -> bool:
    """Whether a name is none: a word of Python, or one that the text of the program has."""
    return not name.isidentifier() or name in WORDS


WORDS = {
    "np",
    "range",
    "for",
    "in",
    "if",
    "elif",
    "else",
    "while",
    "break",
    "return",
    "def",
    "not",
} | {*("and", "or", "pass", "True", "False", "None", "zeros", "shape", "ndindex")}


def test_lengths_of_arrays_of_like_names() -> None:
    """Names that become one in ASCII are of two arrays nevertheless."""
    with sa.options(tier="interpreted"):
        found = sa.loops(
            "y[i] += é[i % 2] + è[i % 3] + x[i]",
            **{"é": np.array([1.0, 2.0]), "è": np.array([10.0, 20.0, 30.0]), "x": np.zeros(6)},
        )
    np.testing.assert_array_equal(np.asarray(found), [11, 22, 31, 12, 21, 32])


def test_tensors_beside_those_of_a_program_have_names_of_their_own() -> None:
    names = ["W", "W_2"]
    for count in range(60):
        names.append(unused("W", names))
        assert len({*names}) == len(names), count
