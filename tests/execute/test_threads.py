"""Jobs are done by the caller and other threads in turn, and their values come in order."""

from __future__ import annotations

import os
import threading

import pytest

import structarr as sa
from structarr._execute.threads import _pool, mapped


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 7])
def test_values_come_in_order(threads: int, count: int) -> None:
    with sa.options(threads=threads):
        assert list(mapped(lambda n: n * n, range(count))) == [n * n for n in range(count)]


def test_the_caller_waits_for_no_thread_that_has_not_begun() -> None:
    ends = threading.Event()
    done: list[bool] = []
    _pool(1, os.getpid()).submit(lambda _: done.append(ends.wait(60)))
    try:
        with sa.options(threads=2):
            names = list(mapped(lambda _: threading.current_thread(), range(4)))
        assert {*names} == {threading.current_thread()}
        assert not done
    finally:
        ends.set()


def test_others_have_the_options_of_the_caller() -> None:
    begun = threading.Barrier(2)

    def limit(_: int) -> tuple[int, str]:
        begun.wait(60)
        return sa.options.current.densify_limit, threading.current_thread().name

    with sa.options(threads=2, densify_limit=77):
        found = list(mapped(limit, range(2)))
    assert [one for one, _ in found] == [77, 77]
    assert len({name for _, name in found}) == 2


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("threads", [2, 3])
def test_after_an_error_nothing_more_is_begun(threads: int, error: type[BaseException]) -> None:
    begun: list[int] = []

    def failing(n: int) -> int:
        begun.append(n)
        if n == 2:
            raise error
        return n

    with sa.options(threads=threads), pytest.raises(error):
        list(mapped(failing, range(200)))
    assert len(begun) < 200


def test_jobs_may_have_jobs() -> None:
    with sa.options(threads=3):
        found = list(mapped(lambda n: sum(mapped(lambda k: n * k, range(5))), range(6)))
    assert found == [10 * n for n in range(6)]
