"""Options: where they hold, what they accept, what they cost."""

import asyncio
import doctest
import threading

import pytest

from structarr._compiler import options as module
from structarr._compiler.options import current, options
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


def test_a_thread_starts_from_the_defaults() -> None:
    seen = []
    with options(threads=7):
        thread = threading.Thread(target=lambda: seen.append(current().threads))
        thread.start()
        thread.join()
    assert seen == [None]


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
