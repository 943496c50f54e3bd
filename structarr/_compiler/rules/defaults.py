"""The rules of the package: those of algebra, of statements and of what is missing."""

from __future__ import annotations

from functools import cache

from structarr._compiler.options import current
from structarr._compiler.rules.algebra import algebra
from structarr._compiler.rules.engine import RuleSet
from structarr._compiler.rules.missing import missing
from structarr._compiler.rules.scans import SCANS
from structarr._compiler.rules.statements import STATEMENTS


@cache
def default_rules(strict: bool) -> RuleSet:
    """The rules in force unless a user adds some; strict ones hold to the bit for every value."""
    return algebra(strict) + STATEMENTS + SCANS + missing(strict)


def rules_with(own: RuleSet | None, strict: bool) -> RuleSet:
    """A user's rules, which come first, and the package's."""
    rules = default_rules(strict)
    return rules if own is None else own + rules


def rules_in_force() -> RuleSet:
    """The user's rules and the package's, by the options."""
    options = current()
    return rules_with(options.rules, options.strict_ieee)
