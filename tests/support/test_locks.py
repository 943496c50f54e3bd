"""A child of a process with threads finds no lock held."""

from __future__ import annotations

import os
import threading
from time import sleep

import pytest

from structarr._support.locks import lock


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_waits_for_a_lock() -> None:
    made, held = lock(), threading.Event()

    def hold() -> None:
        with made:
            held.set()
            sleep(0.2)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if made.acquire(timeout=60) else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert made.acquire(blocking=False)
    made.release()
