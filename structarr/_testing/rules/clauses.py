"""The contract of a rewrite rule, clause by clause."""

from __future__ import annotations

from typing import Final, NoReturn

from structarr._compiler.ir.ruleset import Rule

CLAUSES: Final = {
    "runs": "it raises nothing",
    "node": "it makes a value of a value and a statement of a statement, or returns None",
    "same": "it makes the same of the same node, whenever it is asked",
    "dtype": "what it makes has the dtype of what it replaces",
    "variables": "it reads nothing that stood not there",
    "values": "both sides have the same values, for all numbers and empty arrays",
    "ends": "together with the package's rules it comes to an end",
}
"""What a rule promises to whoever applies it."""


def fail(rule: Rule, clause: str, problem: str) -> NoReturn:
    """Say which clause a rule breaks, and how."""
    raise AssertionError(
        f"rule {rule.name!r} breaks clause {clause!r} ({CLAUSES[clause]}): {problem}"
    ) from None
