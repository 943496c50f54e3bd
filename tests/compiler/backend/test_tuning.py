"""What LLVM is told of a processor beside its features."""

from __future__ import annotations

import pytest

from structarr._compiler.backend.native import engine


@pytest.mark.parametrize(("name", "told"), [("znver4", True), ("skylake-avx512", False)])
def test_where_gathers_are_slow_there_are_none(
    name: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.binding, "get_host_cpu_name", lambda: name)
    found = engine.processor.__wrapped__()  # whatever processor was told of before
    assert found[2].endswith(",+prefer-no-gather,+prefer-no-scatter") == told
