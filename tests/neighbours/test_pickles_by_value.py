"""Kernels, operators and traced functions of a script, by value: other processes lack it."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import structarr as sa

SCRIPT = """
import pickle
import sys
import numpy as np
import structarr as sa

scale = 3.0

@sa.operator(identity=-np.inf, commutative=True, associative=True, idempotent=True)
def highest(a, b):
    return a if a > b else b

@sa.operator(distributes_over=highest, samples=(1, 2, 3))
def scaled(a, b):
    return a * b

def within():
    @sa.operator
    def inner(a):
        return a + scale
    return inner

@sa.kernel
def weights(A, x):
    y = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            y[i] += scaled(A[i, j], x[j]) * scale
    return y

text = sa.kernel(
    '''
def doubled(x):
    y = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        y[i] = x[i] * 2
    return y
'''
)

@sa.jit
def shifted(x):
    return x.sum() / x.shape[0] + scale

sys.stdout.buffer.write(
    pickle.dumps({
        "operator": scaled, "of a function": within(), "kernel": weights, "text": text,
        "jit": shifted, "semiring": sa.semiring(highest, scaled), "name": scaled.op.name,
    })
)
"""

USES = {
    "operator": ("one(a, a).tolist()", [[0.0, 4.0], [9.0, 0.0]]),
    "of a function": ("one(a).tolist()", [[3.0, 5.0], [6.0, 3.0]]),
    "kernel": ("one(a, x).tolist()", [60.0, 9.0]),
    "text": ("one(x).tolist()", [2.0, 20.0]),
    "jit": ("float(one(x))", 8.5),
    "semiring": ("sa.matmul(a, a, semiring=one).tolist()", [[6.0, 0.0], [0.0, 6.0]]),
}


@pytest.fixture(scope="module")
def pickled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("script")
    script = folder / "script.py"
    script.write_text(SCRIPT)
    made = subprocess.run([sys.executable, script], capture_output=True, check=True)
    (folder / "pickle").write_bytes(made.stdout)
    return folder / "pickle"


@pytest.mark.parametrize("name", USES)
def test_another_process_has_what_a_script_defines(pickled: Path, name: str) -> None:
    one = pickle.loads(pickled.read_bytes())[name]
    names = {"sa": sa, "one": one, "a": sa.asarray([[0, 2.0], [3, 0]], format="csr")}
    names["x"] = np.array([1.0, 10.0])
    use, expected = USES[name]
    assert eval(use, names) == expected


def test_operators_are_the_same_to_the_compiler_in_every_process(pickled: Path) -> None:
    found = pickle.loads(pickled.read_bytes())
    assert found["operator"].op.name == found["name"]
    assert pickle.loads(pickle.dumps(found["operator"])).op is found["operator"].op


def test_copies_are_the_thing_itself(pickled: Path) -> None:
    for one in pickle.loads(pickled.read_bytes()).values():
        assert copy.deepcopy(one) is one or isinstance(one, sa.semirings.Semiring)


def test_operators_that_refer_to_arrays_are_made_again_by_themselves_alone() -> None:
    table = np.arange(3)

    @sa.operator(samples=(), associative=True, commutative=True)
    def looked_up(a: int, b: int) -> int:
        return a + b + len(table)

    again = pickle.loads(pickle.dumps(looked_up))
    assert again.op.name != looked_up.op.name
    assert again(sa.asarray([1, 2]), 3).tolist() == looked_up(sa.asarray([1, 2]), 3).tolist()
    with pytest.raises(pickle.PicklingError, match="looked_up refers to an array"):
        pickle.dumps(sa.semiring(looked_up, np.multiply))
