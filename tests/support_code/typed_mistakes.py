"""What type checkers find in a program of a user's: each mistake that is marked, and no other.

    python tests/support_code/typed_mistakes.py            # mypy --strict
    python tests/support_code/typed_mistakes.py pyright    # in its strict mode

pyright is not among the tools of development; `pip install pyright` brings it.
"""

import re
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("typed_program.py")

CHECKERS = {
    "mypy": ["-m", "mypy", "--strict", "--follow-imports=silent", "--no-pretty"],
    "pyright": ["-m", "pyright", "--pythonpath", sys.executable],
}


def marked(program: Path) -> set[int]:
    """The lines with a mistake."""
    lines = program.read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# mistake")}


def reported(checker: str, program: Path) -> dict[int, str]:
    """The lines of which a type checker complains, and what it says."""
    command = [sys.executable, *CHECKERS[checker], str(program)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    found = {}
    for line in told.stdout.splitlines():
        place = re.search(rf"{program.name}:(\d+)(?::\d+)?(?:: error:| - error:)(.*)", line)
        if place:
            found[int(place[1])] = place[2].strip()
    if not found:
        raise SystemExit(f"{checker} has failed:\n{told.stdout}{told.stderr}")
    return found


def main(checker: str = "mypy") -> int:
    """Print what was missed and what was found in vain; the number of both."""
    expected, found = marked(PROGRAM), reported(checker, PROGRAM)
    for number in sorted(expected - found.keys()):
        print(f"{PROGRAM.name}:{number}: {checker} misses the mistake")
    for number in sorted(found.keys() - expected):
        print(f"{PROGRAM.name}:{number}: {checker} finds a mistake in vain: {found[number]}")
    return len(expected ^ found.keys())


if __name__ == "__main__":
    sys.exit(min(main(*sys.argv[1:]), 1))
