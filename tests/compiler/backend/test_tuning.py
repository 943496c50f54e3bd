"""What LLVM is told of a processor beside its features."""

from __future__ import annotations

import pytest

from structarr._compiler.backend.native import emit, engine


@pytest.mark.parametrize(("name", "told"), [("znver4", True), ("skylake-avx512", False)])
def test_where_gathers_are_slow_there_are_none(
    name: str, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine.binding, "get_host_cpu_name", lambda: name)
    found = engine.processor.__wrapped__()  # whatever processor was told of before
    assert found[2].endswith(",+prefer-no-gather,+prefer-no-scatter") == told


def test_long_modules_keep_their_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM makes two loops of one by a condition on its highest level alone."""
    levels: list[int] = []
    make = emit.binding.create_pipeline_tuning_options

    def noted(speed_level: int) -> object:
        levels.append(speed_level)
        return make(speed_level=speed_level)

    monkeypatch.setattr(emit.binding, "create_pipeline_tuning_options", noted)
    text = "define i64 @same(i64 %x) {\n  ret i64 %x\n}\n"
    short, long = emit.object_file(text), emit.object_file(text + ";\n" * emit.LONG)
    assert levels == [3, 2]
    assert short == long
