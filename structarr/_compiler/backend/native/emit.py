"""Machine code of modules in LLVM's language. Importing this module imports llvmlite."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from llvmlite import binding

from structarr._compiler.backend.native import engine

LONG: Final = 4096
"""The lines of a module from which on LLVM leaves loops with conditions that do not change in them
as they are: to make two of each, and of each loop within, takes ten times as long as all else."""


def object_file(text: str) -> bytes | None:
    """
    Return the object file of a module for this processor; None where LLVM does not take it.

    Parameters
    ----------
    text : str
        The module in LLVM's language.
    """
    engine.initialize()
    machine = _machine()
    try:
        module = binding.parse_assembly(f'target triple = "{machine.triple}"\n{text}')
        module.verify()
    except RuntimeError:
        return None
    module.data_layout = str(machine.target_data)
    level = 3 if text.count("\n") < LONG else 2
    options = binding.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = True
    options.slp_vectorization = False
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


@cache
def _machine() -> Any:
    _, name, features = engine.processor()
    target = binding.Target.from_default_triple()
    reloc = "static" if target.name.startswith("x86") else "default"
    return target.create_target_machine(
        cpu=name, features=features, opt=3, reloc=reloc, codemodel="jitdefault", jit=True
    )
