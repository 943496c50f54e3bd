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
    """
    Return the package's own rules, which hold after those of a user.

    Parameters
    ----------
    strict : bool
        Whether rules hold to the bit for every value, as the option `strict_ieee` demands.

    Returns
    -------
    RuleSet
        The rules.

    See Also
    --------
    structarr.options : `strict_ieee` and `rules`.

    Examples
    --------
    >>> any(one.name for one in default_rules(strict=False).rules)
    True
    """
    return algebra(strict) + STATEMENTS + SCANS + missing(strict)


def rules_with(own: RuleSet | None, strict: bool) -> RuleSet:
    """A user's rules, which come first, and the package's."""
    rules = default_rules(strict)
    return rules if own is None else own + rules


def rules_in_force() -> RuleSet:
    """The user's rules and the package's, by the options."""
    options = current()
    return rules_with(options.rules, options.strict_ieee)
