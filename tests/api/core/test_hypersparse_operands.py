"""Memory that NumPy's functions take for few elements along long axes: docs/numpy.md says which."""

import subprocess
import sys
import tracemalloc
from pathlib import Path

import hypersparse_calls as calls
import numpy as np
import pytest

import structarr as sa
from structarr._api.core.publish import HOW, NOTES, REFUSED
from structarr.errors import DensificationError

ROOM = 200_000_000  # bytes: far more than is stored, and far less than 10**10 places take
IMPOSSIBLE = (ValueError, np.linalg.LinAlgError, TypeError)  # for arrays of such axes, or values

UFUNCS = [
    name
    for name, one in vars(np).items()
    if isinstance(one, np.ufunc) and one in HOW and one not in REFUSED
]


def function_of(name):
    found = np
    for part in name.split(" ")[0].split("."):
        found = getattr(found, part)
    return found


def is_dense(name):
    """Whether the table says that some of the operands, or the result, are dense."""
    return HOW[function_of(name)] == "dense" or function_of(name) in NOTES


def check(name, call, x):
    """A call is computed in little memory, or refused before any is taken."""
    tracemalloc.start()
    try:
        calls.computed(call(x))
    except DensificationError:
        assert is_dense(name), f"{name} is structured, but refused"
    except IMPOSSIBLE as problem:
        assert "dense" not in str(problem)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < ROOM, f"{name} takes {peak} bytes"


def test_every_function_of_the_table_has_a_call():
    named = {}
    for prefix, module in (("", np), ("linalg.", np.linalg), ("fft.", np.fft)):
        named |= {prefix + name: one for name, one in vars(module).items() if callable(one)}
    published = {
        name
        for name, one in named.items()
        if not isinstance(one, type | np.ufunc) and hasattr(one, "_implementation")
        if one in HOW and one not in REFUSED
    }
    assert published <= {name.split(" ")[0] for name in calls.CALLS}


QUICK = ["append", "argsort", "cumprod", "cumsum", "delete", "delete along", "flatnonzero"]
QUICK += ["insert", "lexsort", "pad by edges", "pad far", "piecewise"]
QUICK += ["ravel", "repeat", "repeat along", "reshape", "roll", "sort", "take", "unique"]
QUICK += ["unique along", "linalg.inv", "linalg.tensorinv", "fft.fft", "save"]


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("operand", ["vector", "hypersparse"])
def test_functions_take_the_memory_of_what_is_stored(name, operand):
    with sa.options(tier="interpreted"):
        check(name, calls.CALLS[name], getattr(calls, operand)())


def test_rows_beyond_number_are_refused_before_they_are_counted():
    with pytest.raises(DensificationError, match="10000000000 lists takes 80000000000 bytes"):
        np.reshape(calls.matrix(), (-1, 1)).compute()
    with pytest.raises(DensificationError, match="lists takes"):
        np.repeat(calls.matrix(), 1000, axis=0)
    assert np.repeat(calls.hypersparse(), 1000, axis=0).shape == (10**9, 10**6)


def swept(operand):
    """Every call, in this process."""
    x = getattr(calls, operand)()
    for name, call in calls.CALLS.items():
        check(name, call, x)
    for name in UFUNCS:
        check(name, calls.ufunc(name), x)


@pytest.mark.long
@pytest.mark.parametrize("operand", ["vector", "matrix", "hypersparse"])
def test_every_function_takes_the_memory_of_what_is_stored(operand):
    """In a process of its own, which can have no more than a few gigabytes."""
    text = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({5 * 2**30},) * 2)\n"
        f"import test_hypersparse_operands as tests\ntests.swept({operand!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    assert not done.returncode, done.stderr[-3000:]
