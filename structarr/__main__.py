"""The commands of the library: `python -m structarr calibrate`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from structarr._calibrate import calibrate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status."""
    parser = argparse.ArgumentParser("structarr")
    commands = parser.add_subparsers(dest="command", required=True)
    says = "measure the times of this machine by which programs are chosen, and keep them"
    command = commands.add_parser("calibrate", help=says, description=says)
    told = "how long each of ten operations is repeated (1)"
    command.add_argument("--seconds", type=float, default=1.0, help=told)
    options = parser.parse_args(arguments)
    print(f"{'nanoseconds':12} {'default':>10} {'measured':>10}")
    try:
        for name, default, measured in calibrate(options.seconds):
            print(f"{name:12} {default:10.3g} {measured:10.3g}")
    except OSError as error:
        print(f"calibrate: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
