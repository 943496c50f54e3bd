"""Execution of programs of the language: compiled stages, their operands, a run."""
