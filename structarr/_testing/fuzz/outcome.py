"""The outcome of a case: right, refused, or failed, and the group that a failure belongs to."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structarr
from structarr._testing.fuzz.case import Case, Refused, Wrong
from structarr._testing.processor_time import TooLong, limited

_ROOT: Final = Path(structarr.__file__).parent


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a check: `kind` is "right", "refused" or "failed"."""

    kind: str
    group: str = ""
    message: str = ""

    @property
    def failed(self) -> bool:
        """Whether a bug was found."""
        return self.kind == "failed"


def outcome(case: Case, limit: float = 0.0) -> Outcome:
    """Check a case, within so many seconds of this process's work (0: without a limit)."""
    try:
        with limited(limit):
            case.check()
    except Refused as refusal:
        return Outcome("refused", unnumbered(str(refusal)), str(refusal))
    except TooLong:
        return Outcome("failed", "slow: " + _set(case), f"not done within {limit} s")
    except Wrong as error:
        return Outcome("failed", "wrong: " + _set(case), str(error))
    except Exception as error:
        return Outcome("failed", f"{type(error).__name__} at {place(error)}", _traced(error))
    return Outcome("right")


def unnumbered(message: str) -> str:
    """A message whose numbers, quoted words and further lines are left out."""
    line = message.strip().partition("\n")[0]
    line = re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", line)
    return re.sub(r"\([\d, ()]*\)|\[[\d, ]*\]|-?\d[\d._,e+-]*", "#", line)[:110]


def place(error: BaseException) -> str:
    """The innermost function of the library that an error passed."""
    found = "outside"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(_ROOT) and "_testing" not in path.parts:
            found = f"{path.relative_to(_ROOT).as_posix()}:{frame.name}"
    return found


def _traced(error: Exception) -> str:
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_ROOT)
        and "_testing" not in Path(frame.filename).parts
    ]
    lines = [f"  {Path(f.filename).relative_to(_ROOT).as_posix()}:{f.lineno} {f.name}" for f in own]
    return "\n".join([f"{type(error).__name__}: {error}", *lines[-6:]])


def _set(case: Case) -> str:
    return " ".join(sorted({*case.operations}))
