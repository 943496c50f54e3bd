"""Options: where they hold, what they accept, what they cost."""

import asyncio
import contextvars
import doctest
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from structarr._compiler import options as module
from structarr._compiler.options import current, options
from structarr._execute.threads import mapped
from structarr._support import debug


def test_a_block_ends_with_the_options_it_began_with() -> None:
    with options(threads=3):
        with options(tier="compiled") as inner:
            assert (inner.threads, inner.tier) == (3, "compiled")
            assert current() is inner
        assert (current().threads, current().tier) == (3, "auto")
    assert current() == module.Options()


def test_a_block_that_fails_restores_too() -> None:
    with pytest.raises(ZeroDivisionError), options(threads=3):
        raise ZeroDivisionError
    assert current().threads is None


def test_a_call_alone_sets_from_here_on() -> None:
    change = options(densify_limit=5)
    assert current().densify_limit == 5
    with change:
        pass
    assert current().densify_limit == 2**27


def test_an_object_may_be_entered_again() -> None:
    change = options(threads=2)
    for _ in range(2):
        with change as inside:
            assert inside.threads == 2
        assert current().threads is None


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(TypeError, match=r"no option 'thread'.*tier.*densify_limit"):
        options(thread=2)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"tier": "fast"}, ValueError),
        ({"threads": 0}, ValueError),
        ({"threads": 1.5}, TypeError),
        ({"threads": True}, TypeError),
        ({"densify_limit": -1}, ValueError),
        ({"strict_ieee": 1}, TypeError),
        ({"progress": "yes"}, TypeError),
    ],
)
def test_bad_values_are_refused_and_change_nothing(
    changes: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error, match=next(iter(changes))):
        options(**changes)
    assert current() == module.Options()


def seen_by_a_thread() -> module.Options:
    seen = []
    thread = threading.Thread(target=lambda: seen.append(options.current))
    thread.start()
    thread.join()
    return seen[0]


@pytest.fixture
def for_good() -> Iterator[None]:
    before = module._lasting[0]
    yield
    module._lasting[0] = before
    module._current.set(before)


def test_a_thread_starts_from_what_holds_for_good() -> None:
    with options(threads=7):
        assert seen_by_a_thread().threads is None


@pytest.mark.usefixtures("for_good")
def test_options_that_are_set_hold_in_new_threads() -> None:
    module.set_options(threads=3, strict_ieee=True)
    assert options.current.threads == 3
    found = seen_by_a_thread()
    assert (found.threads, found.strict_ieee) == (3, True)
    assert found.planned == options.current.planned
    with options(threads=5):
        module.set_options(densify_limit=9)
        assert (options.current.threads, options.current.densify_limit) == (5, 9)
    assert seen_by_a_thread().densify_limit == 9


@pytest.mark.usefixtures("for_good")
def test_a_thread_that_has_asked_keeps_its_options() -> None:
    seen, asked, changed = [], threading.Event(), threading.Event()

    def look() -> None:
        seen.append(current().threads)
        asked.set()
        changed.wait(10)
        seen.append(current().threads)

    thread = threading.Thread(target=look)
    thread.start()
    asked.wait(10)
    module.set_options(threads=4)
    changed.set()
    thread.join()
    assert seen == [None, None]


@pytest.mark.usefixtures("for_good")
def test_contexts_that_have_not_asked_are_told_apart() -> None:
    found = []
    contextvars.Context().run(lambda: found.append(module.settled()))
    module.set_options(strict_ieee=True)
    contextvars.Context().run(lambda: found.append(module.settled()))
    assert [one.strict_ieee for one in found] == [False, True]


def test_our_threads_have_the_options_of_the_call() -> None:
    with options(threads=2, densify_limit=77):
        assert list(mapped(lambda job: current().densify_limit, [1, 2, 3])) == [77, 77, 77]


def test_options_are_read_but_not_written() -> None:
    assert repr(options.current).startswith("Options(tier='auto', strict_ieee=False")
    with pytest.raises(AttributeError):
        options.current.threads = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="thread"):
        options.current.thread  # type: ignore[attr-defined] # noqa: B018


@pytest.mark.parametrize("change", [options, module.set_options])
def test_a_misspelt_name_is_guessed(change: Any) -> None:
    with pytest.raises(TypeError, match="no option 'thread'; did you mean threads"):
        change(thread=2)
    with pytest.raises(ValueError, match="did you mean compiled"):
        change(tier="compile")
    assert current() == module.Options()


def test_tasks_do_not_disturb_each_other() -> None:
    async def task(threads: int) -> int | None:
        with options(threads=threads):
            await asyncio.sleep(0)
            return current().threads

    async def both() -> list[int | None]:
        return list(await asyncio.gather(task(2), task(3)))

    assert asyncio.run(both()) == [2, 3]


def test_repr_can_be_typed_back() -> None:
    with options(threads=2, tier="compiled") as _:
        pass
    change = options(threads=2)
    with change:
        assert repr(change) == "options(threads=2)"


def test_debug_reads_the_environment_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STRUCTARR_DEBUG", "kernel, cin")
    debug._stages.cache_clear()
    try:
        monkeypatch.delenv("STRUCTARR_DEBUG")
        assert not debug.debug("kernel")
        debug._stages.cache_clear()
        monkeypatch.setenv("STRUCTARR_DEBUG", "kernel, cin")
        assert debug.debug("kernel")
        assert debug.debug("cin")
        assert not debug.debug("looplets")
    finally:
        debug._stages.cache_clear()


def test_the_docstring_runs() -> None:
    assert doctest.testmod(module).failed == 0
