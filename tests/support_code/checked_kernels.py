"""Kernels that leave their buffers, for a process under `STRUCTARR_DEBUG=check`.

It prints a JSON object: what became of each call.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import structarr as sa
from structarr._array import of_tensor
from structarr._compiler.backend.kernel import of_text
from structarr._compiler.backend.llvm.module import translated
from structarr._compiler.backend.params import Param
from structarr._compiler.backend.python.interpret import Interpreted
from structarr._storage.tensor import Tensor
from structarr._testing.fuzz.pieces import in_pieces
from structarr.formats import parse

N, MASK = Param("int64", False, False, True), Param("uint8", True, True)
X, Y = Param("float64", True, True), Param("int64", True, True)

# Of three elements each; `n` is what is tried.
KERNELS: dict[str, tuple[str, tuple[Param, ...]]] = {
    "read": ("y[u(0)] = x[u(n)]", (X, X)),
    "write": ("x[u(n)] = 1.0", (X,)),
    "update": ("x[u(n)] += 1.0", (X,)),
    "without a mark": ("x[n] = 1.0", (X,)),
    "in a loop": ("for i in range(n + 1):\n        x[u(i)] = 1.0", (X,)),
    "downward": ("for i in range(3 - n):\n        x[u(2 - i)] = 1.0", (X,)),
    "in a condition": ("if n > 9 or x[u(n)] > 0:\n        x[u(0)] = 2.0", (X,)),
    "in a choice": ("x[u(0)] = x[u(n)] if x[u(0)] < 1 else 2.0", (X,)),
    "in a helper": ("fill_range(x, n, n + 1, 1.0)", (X,)),
    "in a search": ("x[u(0)] = search(x, 5, n, n + 1)", (Y,)),
    "in a function": ("inner(x, n)\n\ndef inner(x, n):\n    x[u(n)] = 1.0", (X,)),
    "a stretch": ("vector_exp(x, n, n + 1)", (X,)),
    "beside a stretch": ("vector_arctan2(new_block(0.0), 0, n + 1, x)", (X,)),
    "a copy": (
        "for r in range(1):\n        for i in range(n + 1):\n"
        "            y[u(r * 3 + i)] = x[u(r * 3 + i)]",
        (X, X),
    ),
    "own memory": ("own = new_fingers(3)\n    own[u(n)] = 1", ()),
    "words": ("word = words_of(x)[u(n - 2)]\n    x[u(0)] = word > 0", (MASK,)),
}
FEW = (2, 3, -1)
LOOPS = {"in a loop", "downward"}  # those that many turns would keep


def outcome(function: Callable[..., Any], args: Sequence[Any]) -> str:
    try:
        function(*args)
    except IndexError as error:
        return str(error)
    return "done"


def by_hand() -> dict[str, list[str]]:
    """Kernels of a text, each called with places within and outside."""
    found: dict[str, list[str]] = {}
    for name, (text, arrays) in KERNELS.items():
        names = [*("x", "y")[: len(arrays)], "n"]
        params = (*arrays, N)
        function = of_text(f"def kernel({', '.join(names)}):\n    {text}\n", params).compile()
        for place in FEW if name in LOOPS else (*FEW, 1 << 40, -(1 << 40)):
            given = [np.zeros(8 if one is MASK else 3, one.dtype) for one in arrays]
            found.setdefault(name, []).append(outcome(function, (*given, place)))
    write, params = "def kernel(x, n):\n    x[u(n)] = 1.0\n", (X, N)
    calls = [outcome(Interpreted(write, params), (np.zeros(3), place)) for place in FEW]
    assert "nsw" not in translated("k", write.replace("(n)", "(n + 1)"), params)
    return {**found, "interpreted": calls}


def wrong(ptr: Sequence[int], idx: Sequence[int], rows: int = 3) -> Any:
    """A matrix of three columns whose buffers nobody has checked."""
    shape, value = (rows, 3), np.dtype("float64")
    buffers = (np.array(ptr), np.array(idx), np.ones(len(idx)))
    return of_tensor(Tensor(parse("csr", 2), shape, value, value.type(0), buffers))


def by_format() -> dict[str, str]:
    """Operands of which a coordinate or a pointer is wrong."""
    dense = np.ones((3, 4))
    twice = sa.operator(lambda a: a + a, name="twice")
    far, below = wrong([0, 1, 2, 3], [0, 1, 7]), wrong([0, 1, 2, 3], [0, -9, 2])
    long = wrong([0, 1, 2, 9], [0, 1, 2])
    many = wrong(range(4001), [7] * 4000, 4000)
    sound = wrong([0, 1, 2, 3], [0, 1, 2])

    def cut() -> Any:
        with in_pieces():
            return (many @ dense).compute()

    calls: dict[str, Callable[[], Any]] = {
        "a column beyond, read": lambda: (far @ dense).compute(),
        "a column beyond, written": lambda: far.sum(axis=0).compute(),
        "a column before, read": lambda: (below @ dense).compute(),
        "a column before, written": lambda: below.sum(axis=0).compute(),
        "a pointer beyond": lambda: (long @ dense).compute(),
        "in pieces": cut,
        "with a function of a user": lambda: twice(far).sum(axis=0).compute(),
        "sound": lambda: (sound @ dense).compute(),
    }
    with sa.options(tier="compiled"):
        return {name: outcome(call, ()) for name, call in calls.items()}


if __name__ == "__main__":
    own = by_hand()
    assert "numba" not in sys.modules  # it is our machine code that checks
    print(json.dumps({"by hand": own, "by format": by_format()}))
