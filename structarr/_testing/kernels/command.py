"""
``python -m structarr.testing kernels``: the kernels of the corpus, written or compared.

``--write DIR`` writes what becomes of each case, ``--against COMMIT`` prints what is different
from another commit of the repository that this package is in.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from .compare import Records, compared, report
from .record import STAGES
from .run import chosen
from .write import text_of, write

_HERE: Final = Path(__file__).resolve().parent
_ROOT: Final = _HERE.parents[2]  # where the package lies
_RUNNER: Final = "corpus_of_kernels"  # this folder under a name that no commit has


def main(words: Sequence[str]) -> int:
    """Run the command; the status is 1 where kernels differ, as that of ``diff`` is."""
    asked = _parser().parse_args(words)
    cases = chosen(asked.only)
    if not (asked.write or asked.against):
        print("give --write DIR or --against COMMIT; --help says what they do", file=sys.stderr)
        return 2
    if not cases:
        print(f"no case of the corpus has {asked.only!r} in it", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="structarr-kernels-") as name:
        folder, tree = Path(name), Path(name, "tree")
        if asked.against:
            try:
                unpacked(_ROOT, asked.against, tree)
            except ValueError as error:
                print(error, file=sys.stderr)
                return 2
        own = recorded(_ROOT, folder, asked.jobs, asked.only)
        if asked.write:
            write(asked.write, {case.name: text_of(case, own[case.name]) for case in cases})
            print(f"{len(cases)} cases are written to {asked.write}")
        if not asked.against:
            return 0
        other = recorded(tree, folder, asked.jobs, asked.only)
    found = compared(cases, other, own, asked.names)
    print("\n".join(report(found, asked.against, "this code")))
    return int(not found.is_equal)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m structarr.testing kernels", description=__doc__.split("\n\n", 1)[1]
    )
    act = parser.add_argument_group("what to do").add_argument
    act("--write", metavar="DIR", type=Path, help="write a file for each case")
    act("--against", metavar="COMMIT", help="print what differs from a commit")
    parser.add_argument("--names", action="store_true", help="leave out renamed variables")
    parser.add_argument("--only", metavar="TEXT", default="", help="cases with this in them")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes (1)")
    return parser


def recorded(tree: Path, folder: Path, jobs: int = 1, only: str = "") -> Records:
    """The records of the corpus by the package that lies in a folder."""
    runner, out = folder / "runner", folder / "records.json"
    if not runner.exists():
        shutil.copytree(_HERE, runner / _RUNNER, ignore=shutil.ignore_patterns("__pycache__"))
    paths = os.pathsep.join([str(tree), str(runner)])
    surroundings = {**os.environ, "PYTHONPATH": paths, "STRUCTARR_DEBUG": STAGES}
    module = [sys.executable, "-m", f"{_RUNNER}.run", str(out), str(jobs), str(tree), only]
    subprocess.run(module, cwd=folder, env=surroundings, check=True)
    found = json.loads(out.read_text())
    return {name: tuple((title, text) for title, text in parts) for name, parts in found.items()}


def unpacked(repository: Path, commit: str, tree: Path) -> None:
    """
    The package of a commit, written to a folder.

    Raises
    ------
    ValueError
        If there is no repository, or no such commit in it, or no package in that.
    """
    ask = ["git", "-C", str(repository), "archive", "--format=tar", commit, "structarr"]
    told = subprocess.run(ask, capture_output=True)
    if told.returncode:
        why = told.stderr.decode().strip()
        raise ValueError(f"git has no package at {commit!r} in {repository}: {why}")
    with tarfile.open(fileobj=BytesIO(told.stdout)) as archive:
        # Python 3.11.0 to 3.11.3 have no filters; what git packs needs none.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tree)
