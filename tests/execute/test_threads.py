"""Jobs are done by the caller and other threads in turn, and their values come in order."""

from __future__ import annotations

import os
import signal
import threading

import pytest

import structarr as sa
from structarr._execute.threads import _pool, mapped, together


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


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_all_threads_are_in_at_once(threads: int, waits: bool) -> None:
    """Each waits for all the others, and has the options of the caller."""
    begun, found = threading.Barrier(threads), []

    def work(number: int) -> None:
        begun.wait(60)
        found.append((number, sa.options.current.densify_limit))

    with sa.options(densify_limit=77):
        together(work, threads, waits)
    assert sorted(found) == [(number, 77) for number in range(threads)]


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


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("threads", [2, 3])
def test_each_thread_goes_along_a_share_of_its_own(threads: int, waits: bool) -> None:
    """Each does the first half of its share while the others do theirs, whichever comes first."""
    count, others = 4 * threads, threading.Barrier(threads)
    known: list[dict[int, str]] = []
    for _ in range(2):
        found: dict[int, str] = {}

        def noted(n: int, found: dict[int, str] = found) -> None:
            if n % 4 < 2:
                others.wait(60)
            found[n] = threading.current_thread().name + str(threading.get_ident())

        with sa.options(threads=threads):
            assert list(mapped(noted, range(count), waits)) == [None] * count
        known.append({n: name for n, name in found.items() if n % 4 < 2})
    assert known[0] == known[1]
    assert all(known[0][n] == known[0][n + 1] for n in range(0, count, 4))
    assert len({*known[0].values()}) == threads
    main = threading.current_thread().name + str(threading.get_ident())
    assert (main in known[0].values()) != waits


def test_who_is_done_helps_with_what_others_would_do_last() -> None:
    begun, ends, order = threading.Event(), threading.Event(), list[tuple[int, bool]]()

    def job(n: int) -> int:
        mine = threading.current_thread() is threading.main_thread()
        order.append((n, mine))
        if not mine:
            begun.set()
            assert ends.wait(60)
        elif n == 0:
            assert begun.wait(60)
        if len([one for one in order if one[1]]) == 7:
            ends.set()
        return n

    with sa.options(threads=2):
        assert list(mapped(job, range(8))) == [*range(8)]
    assert [n for n, mine in order if mine] == [0, 1, 2, 3, 7, 6, 5]
    assert [n for n, mine in order if not mine] == [4]


@pytest.mark.parametrize("threads", [1, 2])
def test_whoever_waits_hears_interrupts(threads: int) -> None:
    """Jobs that are begun go on to their end, and no more are."""
    begun, ends, done = threading.Event(), threading.Event(), list[int]()

    def long(n: int) -> None:
        done.append(n)
        begun.set()
        assert ends.wait(60)

    def interrupt() -> None:
        begun.wait(60)
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with sa.options(threads=threads):
            thread = threading.Thread(target=interrupt)
            with pytest.raises(KeyboardInterrupt):
                thread.start()
                list(mapped(long, range(20), True))
        ends.set()
        thread.join()
        with sa.options(threads=threads):
            assert list(mapped(lambda n: -n, range(3), True)) == [0, -1, -2]
    finally:
        ends.set()
        signal.signal(signal.SIGINT, before)
    assert len(done) <= threads


def test_in_other_threads_nobody_waits() -> None:
    """Interrupts are heard by the main thread alone."""
    found: list[str] = []
    name = threading.current_thread().name

    def ask() -> None:
        found.extend(mapped(lambda _: threading.current_thread().name, range(2), True))

    thread = threading.Thread(target=ask, name="another")
    thread.start()
    thread.join()
    assert found == ["another"] * 2 and name != "another"


@pytest.mark.skipif(os.name == "nt", reason="processes are few there")
def test_without_room_for_a_thread_the_caller_does_not_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    _pool.cache_clear()
    try:
        with sa.options(threads=3):
            assert list(mapped(lambda n: n + 1, range(9), True)) == [*range(1, 10)]
    finally:
        _pool.cache_clear()
