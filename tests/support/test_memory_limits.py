"""What would take more memory than there is, is refused before any of it is taken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from written_groups import of_groups

import structarr as sa
from structarr._execute import place
from structarr._support import memory
from structarr.errors import DensificationError


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """What the system tells of its memory."""
    monkeypatch.setattr(memory, "_SYSTEM", str(tmp_path / "meminfo"))
    (tmp_path / "meminfo").write_text("MemTotal:   9 kB\nMemAvailable:      8 kB\n")
    memory.installed.cache_clear()
    yield tmp_path / "meminfo"
    memory.installed.cache_clear()


@pytest.mark.parametrize(
    ("files", "lines", "left", "most"),
    [
        ({}, "", 8192, 9216),
        ({"memory.max": "max\n", "memory.current": "1000\n"}, "0::/\n", 8192, 9216),
        ({"memory.max": "4000\n", "memory.current": "1000\n"}, "0::/\n", 3000, 4000),
        ({"memory.max": "500\n", "memory.current": "1000\n"}, "0::/\n", 0, 500),
        # Files that were read, which the system gives back first.
        (
            {
                "memory.max": "4000\n",
                "memory.current": "3000\n",
                "memory.stat": "anon 500\ninactive_file 2000\nactive_file 500\n",
            },
            "0::/\n",
            3000,
            4000,
        ),
        # The process's own group, and one around it.
        ({"a/b/memory.max": "700\n", "a/b/memory.current": "200\n"}, "0::/a/b\n", 500, 700),
        (
            {
                "a/memory.max": "600\n",
                "a/memory.current": "400\n",
                "a/b/memory.max": "700\n",
                "a/b/memory.current": "200\n",
            },
            "0::/a/b\n",
            200,
            600,
        ),
        ({"a/memory.max": "700\n", "a/memory.current": "200\n"}, "0::/b\n", 8192, 9216),
        # A container that sees the path of its host, and its own group as all there is.
        ({"memory.max": "700\n", "memory.current": "200\n"}, "0::/pods/7\n", 500, 700),
        # Version 1, and both.
        (
            {
                "memory/a/memory.limit_in_bytes": "5000\n",
                "memory/a/memory.usage_in_bytes": "3000\n",
                "memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 1000\n",
                "memory/memory.limit_in_bytes": "9223372036854771712\n",
                "memory/memory.usage_in_bytes": "3000\n",
            },
            "9:name=systemd:/\n4:memory:/a\n1:cpu:/\n0::/\n",
            3000,
            5000,
        ),
        (
            {
                "memory/memory.limit_in_bytes": "5000\n",
                "memory/memory.usage_in_bytes": "3000\n",
                "unified/a/memory.max": "700\n",
                "unified/a/memory.current": "200\n",
            },
            "4:hugetlb,memory:/\n0::/a\n",
            500,
            700,
        ),
        ({}, "what is this\n", 8192, 9216),
    ],
)
def test_the_least_of_what_groups_tell_counts(
    files: dict[str, str],
    lines: str,
    left: int,
    most: int,
    system: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_groups(files, lines, tmp_path, monkeypatch)
    assert (memory.available(), memory.installed()) == (left, most)


def test_where_nothing_is_told_nothing_is_known(
    system: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_groups({}, "0::/\n", tmp_path, monkeypatch)
    system.unlink()
    assert (memory.available(), memory.installed()) == (memory.UNKNOWN, 0)


def test_a_list_that_does_not_fit_is_refused_with_its_estimate() -> None:
    n = 10**6
    column = sa.from_coordinates((np.arange(n), np.zeros(n, int)), np.ones(n), (n, 3), format="csr")
    with pytest.raises(DensificationError, match=r"may take \d{14} bytes, and \d+ are available"):
        (column @ column.T).compute()
    assert (column @ column.T).sum() == float(n) ** 2  # which needs no product


def test_an_estimate_knows_how_long_rows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = sp.random_array((300, 300), density=0.5, format="csr", rng=np.random.default_rng(0))
    a = sa.asarray(dense)
    most = (300 * 300 + 1) * (a.dtype.itemsize + np.dtype(a.format.index).itemsize)
    monkeypatch.setattr(place, "available_for", lambda size: most)
    # The pairs that meet are 75 times as many; one to spare, in one piece.
    with sa.options(densify_limit=10**5, threads=1):
        np.testing.assert_allclose((a @ a).todense(), (dense @ dense).toarray())
        monkeypatch.setattr(place, "available_for", lambda size: most - 1)
        with pytest.raises(DensificationError, match="compute it in parts"):
            (a @ a).compute()


def test_the_system_is_asked_now_and_then_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted() -> int:
        asked.append(1)
        return 1000

    monkeypatch.setattr(memory, "available", counted)
    monkeypatch.setattr(memory, "_lately", {})
    now = [5.0]
    monkeypatch.setattr(memory, "monotonic", lambda: now[0])
    assert [memory.available_for(10) for _ in range(5)] == [1000] * 5 and len(asked) == 1
    assert memory.available_for(500) == 1000 and len(asked) == 2  # a large part
    now[0] += 2 * memory.RECENT
    assert memory.available_for(10) == 1000 and len(asked) == 3
