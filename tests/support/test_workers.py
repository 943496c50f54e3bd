"""Threads that wait for jobs end when nobody can give them any, and with the process."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import pytest

from structarr._support.workers import Workers


def test_each_job_is_done_once_whatever_others_raise() -> None:
    workers, done, ends = Workers(3), [], threading.Semaphore(0)

    def job(number: int) -> None:
        done.append(number)
        ends.release()
        raise KeyboardInterrupt

    for number in range(20):
        workers.submit(lambda _, number=number: job(number))
    for _ in range(20):
        assert ends.acquire(timeout=60)
    assert sorted(done) == list(range(20))


def test_threads_end_with_those_who_give_jobs() -> None:
    workers, ends = Workers(2), threading.Semaphore(0)
    found: list[threading.Thread] = []
    for _ in range(2):
        workers.submit(lambda _: (found.append(threading.current_thread()), ends.release()))
    for _ in range(2):
        assert ends.acquire(timeout=60)
    assert all(one.is_alive() for one in found)
    del workers
    gc.collect()
    assert not any(one.is_alive() for one in found)


SCRIPT = """
import sys, time, threading
from structarr._support.workers import Workers
workers, begun = Workers(1), threading.Event()

def job(_):
    begun.set()
    time.sleep(0.2)
    print("done", flush=True)

workers.submit(job)
begun.wait(60)
"""


def test_the_end_of_the_process_waits_for_what_was_begun() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
def test_a_fork_ends_without_threads_of_its_parent() -> None:
    code = SCRIPT + "import os\nif not os.fork(): sys.exit(0)\nos.wait()\nprint('end')\n"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["done", "end"]
