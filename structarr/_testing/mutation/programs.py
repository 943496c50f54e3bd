"""Random programs in this very process, whose package may be a mutant: ``programs COUNT``."""

from __future__ import annotations

import sys
import warnings

from structarr._testing.fuzz.case import Settings
from structarr._testing.fuzz.worker import Task, run

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    settings = Settings(seed=28, compiled=0.0, threads=0.0)
    found = run(Task(settings, 0, int(sys.argv[1]), shrinking=0.0), set())
    sys.exit(bool(found.failed))
