"""The list of passes: complete, without doubles, and in words."""

from __future__ import annotations

from pathlib import Path

from structarr._compiler import kernel_passes
from structarr._scheduler import pipeline


def test_each_pass_has_a_name_of_its_own_and_one_sentence() -> None:
    names = [one.name for one in pipeline.PASSES]
    assert len(names) == len(set(names))
    assert all(one.effect.endswith(".") and "\n" not in one.effect for one in pipeline.PASSES)


def test_every_module_of_kernel_passes_is_in_the_list() -> None:
    listed = {one.run.__module__.rpartition(".")[-1] for one in pipeline.PASSES}
    folder = Path(kernel_passes.__path__[0])
    modules = {path.stem for path in folder.glob("*.py")} - {
        *(
            "__init__",
            "ahead",
            "along_diagonals",
            "blocks",
            "diagonal_nests",
            "fetch_ahead",
            "row_updates",
            "searches",
        )
    }
    assert modules <= listed
