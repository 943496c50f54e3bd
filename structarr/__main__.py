"""The commands of the library: `python -m structarr calibrate` and `python -m structarr warm`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from structarr._api.programs.common_kernels import warm
from structarr._calibrate import calibrate
from structarr._compiler.progress import followed
from structarr.errors import FormatError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    parser = argparse.ArgumentParser("structarr")
    commands = parser.add_subparsers(dest="command", required=True)
    says = "measure the times of this machine by which programs are chosen, and keep them"
    command = commands.add_parser("calibrate", help=says, description=says)
    told = "how long each of ten operations is repeated (1)"
    command.add_argument("--seconds", type=float, default=1.0, help=told)
    command.set_defaults(run=_calibrate)
    says = "compile the commonest kernels of some formats and dtypes, and keep them on disk"
    command = commands.add_parser("warm", help=says, description=says)
    command.add_argument("--formats", nargs="+", default=["csr", "csc"], help="(csr csc)")
    command.add_argument("--dtypes", nargs="+", default=["float64"], help="(float64)")
    command.set_defaults(run=_warm)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (FormatError, OSError, TypeError) as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 1
    return 0


def _calibrate(options: argparse.Namespace) -> None:
    print(f"{'nanoseconds':12} {'default':>10} {'measured':>10}")
    for name, default, measured in calibrate(options.seconds):
        print(f"{name:12} {default:10.3g} {measured:10.3g}")


def _warm(options: argparse.Namespace) -> None:
    with followed("warming") as follow:
        found = warm(
            options.formats,
            options.dtypes,
            progress=lambda number, count, text: follow(number / count, text),
        )
    print(f"{found} kernels compiled or loaded")


if __name__ == "__main__":
    sys.exit(main())
