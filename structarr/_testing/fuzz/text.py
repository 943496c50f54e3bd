"""Python text of a program, that runs by itself."""

from __future__ import annotations

from typing import Final

from structarr._testing.fuzz.operands import format_text, spelled
from structarr._testing.fuzz.written import Written

_TEXTS: Final = {
    "asformat": "def asformat(x, f): return x.asformat(f) if isinstance(x, sa.Array) else x",
    "looked_at": "def looked_at(x): return x.compute() if isinstance(x, sa.Array) else x",
    "led": "def led(x, name): return getattr(sa, name)(x) if isinstance(x, sa.Array) else x",
    "put(": "def put(x, places, values):\n    np.put(x, places, values)\n    return x",
}


def source(program: Written) -> str:
    """Python text that leaves `got` and `want`."""
    names = ", ".join(one.name for one in program.operands)
    made = [f"{one.name} = {one.text}" for one in program.operands]
    for number, data in enumerate(program.rounds):
        rest = zip(program.operands, data, strict=True)
        values = ", ".join(spelled(new) for _, new in rest)
        made.append(f"# round {number + 1}, the same with: {values}")
    body = [line for step in program.steps for line in step.text.split("\n")]
    given = ", ".join(one.given_text for one in program.operands)
    last = program.results[-1] if program.results else None
    value = program.steps[-1].target if last is None else last.name
    results = ", ".join(one.name for one in program.results)
    if len(program.results) > 1:
        body.append(f"# looked at {'together' if program.together else 'in turn'}: {results}")
    asked = f".asformat({format_text(last.format)})" if last and last.format else ""
    options = ", ".join(f"{k}={v!r}" for k, v in program.plain_options.items())
    pieces = "  # in pieces" if program.options.get("pieces") else ""
    which = program.options.get("program")
    forced = "" if which is None else f", force(Forced({which}))"
    few = ", for_few()" if program.options.get("few") else ""
    text = "\n".join([*made, *body, given])
    helpers = [line for word, line in _TEXTS.items() if word in text]
    return "\n".join(
        [
            "import numpy as np",
            *(["import scipy.sparse"] if "scipy" in given else []),
            "import structarr as sa",
            *(["from structarr._compiler.options import Forced, force"] if forced else []),
            *(["from structarr._testing.fuzz.thresholds import for_few"] if few else []),
            "from numpy import inf, nan",
            "from structarr.formats import *",
            *helpers,
            *made,
            f"def run({names}):",
            *(f"    {line}" for line in body),
            f"    return {value}",
            f"with sa.options({options}){forced}{few}:{pieces}",
            f"    got = run({given}){asked}",
            "    got = got.todense() if isinstance(got, sa.Array) else np.asarray(got)",
            f"want = np.asarray(run({names}))",
            "print(got)",
            "print(want)",
            "",
        ]
    )
