"""The commands of the library: `python -m structarr COMMAND`, or `structarr COMMAND`.

Exit status 0 stands for success, 1 for an error that is told, 2 for arguments that are not
understood, and 130 for an interrupt.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from structarr._command import commands
from structarr.errors import StructarrError
from structarr.interop.file_kinds import SUFFIXES

ERRORS: Final = (StructarrError, ImportError, OSError, TypeError, ValueError, MemoryError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    asked = _parser().parse_args(arguments)
    try:
        data, text = asked.run(asked)
    except ERRORS as error:
        told = f"{type(error).__name__}: {error}"
        if asked.json:
            print(json.dumps({"error": told}))
        print(f"{asked.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"{asked.command}: interrupted", file=sys.stderr)
        return 130
    with suppress(BrokenPipeError):  # whoever reads it has seen enough
        print(json.dumps(data, indent=1) if asked.json else text, flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "structarr", description=f"Files may be {', '.join(SUFFIXES)}."
    )
    made = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[..., Any], *, under: Any = made) -> Any:
        says = (run.__doc__ or "").rstrip(".")
        one = under.add_parser(name, help=says, description=says)
        one.add_argument("--json", action="store_true", help="tell it as JSON")
        one.set_defaults(run=run)
        return one

    one = command("info", commands.info)
    one.add_argument("file")
    one = command("convert", commands.convert)
    one.add_argument("file")
    one.add_argument("to", help=".npz, .npy or .mtx")
    one.add_argument("--format", help='the format, such as csr, rle or "auto"')
    one = command("spy", commands.spy)
    one.add_argument("file")
    one.add_argument("to", help="a picture: .png, .svg or .pdf")
    one.add_argument("--bins", type=int, default=256, help="the most cells along an axis (256)")
    one = command("explain", commands.explain)
    one.add_argument("program", help='such as "y[i] += A[i, j] * x[j]"')
    one.add_argument("operands", nargs="*", metavar="NAME=FILE")
    one.add_argument("--html", help="a page to write")
    cache = made.add_parser("cache", help="What is kept on disk").add_subparsers(
        dest="what", required=True, metavar="list|clear"
    )
    command("list", commands.cache_list, under=cache)
    command("clear", commands.cache_clear, under=cache)
    command("versions", commands.versions)
    one = command("calibrate", commands.calibrate)
    told = "how long each of ten operations is repeated (1)"
    one.add_argument("--seconds", type=float, default=1.0, help=told)
    one = command("warm", commands.warm)
    one.add_argument("--formats", nargs="+", default=["csr", "csc"], help="(csr csc)")
    one.add_argument("--dtypes", nargs="+", default=["float64"], help="(float64)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
