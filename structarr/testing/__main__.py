"""``python -m structarr.testing``: the commands that test the library at length."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

# A command's name, and the module whose `main` takes the words after it and returns the status.
COMMANDS: Final = {
    "c": "structarr._testing.c_command",
    "fuzz": "structarr._testing.fuzz.command",
    "inputs": "structarr._testing.corrupted_inputs",
    "kernels": "structarr._testing.kernels.command",
    "leaks": "structarr._testing.leaks",
    "memory": "structarr._testing.allocation_failures",
    "mutants": "structarr._testing.mutation.command",
    "races": "structarr._testing.races",
    "threads": "structarr._testing.crowds",
}


def main(words: Sequence[str] | None = None) -> int:
    """Run a command, and return the status of the process."""
    given = list(sys.argv[1:] if words is None else words)
    if not given or given[0] not in COMMANDS:
        asked = given and given[0] in ("-h", "--help")
        usage = f"usage: python -m structarr.testing {{{','.join(COMMANDS)}}} ..."
        print(usage, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    command: Callable[[Sequence[str]], int] = import_module(COMMANDS[given[0]]).main
    return command(given[1:])


if __name__ == "__main__":
    sys.exit(main())
