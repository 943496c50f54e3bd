"""Engines are disposed of by threads that hear of no interrupt, as LLVM's lock would stay taken."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from llvmlite import binding

import structarr as sa


def test_no_engine_is_disposed_of_by_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    disposed: list[bool] = []
    own = binding.ExecutionEngine._dispose

    def noted(self: Any) -> None:
        disposed.append(threading.current_thread() is threading.main_thread())
        own(self)

    def computed(factor: float) -> Any:
        a = sa.asarray(np.eye(5), format="csr")
        return ((a * factor).sum(axis=1) @ np.ones(5)).compute()

    sa.clear_cache()
    gc.collect()
    sa.clear_cache()
    monkeypatch.setattr(binding.ExecutionEngine, "_dispose", noted)
    with sa.options(tier="compiled"):
        assert computed(2.0) == 10
        sa.clear_cache()
        gc.collect()
        assert not disposed
        sa.clear_cache()
        assert disposed
        assert computed(3.0) == 15
    assert not any(disposed)
