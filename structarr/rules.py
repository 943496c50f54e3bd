"""Rewrite rules: what a user knows of values and programs that the compiler does not.

A rule holds inside ``with structarr.options(rules=...)`` and is applied before the package's own,
at every step of lowering. It must keep the value: nothing checks that. `pair` makes one of two
expressions; `rule` makes one of a function, which sees values (`Call`, `Cast`, `Access`) or
statements (`Loop`, `Assign`, `Sieve`) of `structarr.cin` and returns the new node, or None where it
has nothing to say. A function of statements is a pass over the program.

Examples
--------
>>> import structarr as sa
>>> a = sa.asarray([0.0, 0.25, 0.5], format="list")
>>> with sa.options(rules=pair("exp(log(x))", "x")):
...     print("exp" in sa.explain(sa.exp(sa.log(a))).kernel)
False
"""

from __future__ import annotations

from collections.abc import Callable

from structarr._api.programs.operators import Named, op_of
from structarr._compiler.rules import patterns
from structarr._compiler.rules.defaults import default_rules as default_rules
from structarr._compiler.rules.engine import Rule as Rule, RuleSet as RuleSet, rule as rule
from structarr.errors import RuleError as RuleError


def pair(
    left: str,
    right: str,
    *,
    when: Callable[..., bool] | None = None,
    name: str | None = None,
    **operators: Named,
) -> Rule:
    """
    Make a rule of two expressions: what matches the left one becomes the right one.

    Parameters
    ----------
    left, right : str
        Expressions of Python. Names are variables, which match any expression, everywhere the same;
        what is called is an operator, by NumPy's name of its ufunc or by `operators`; numbers match
        constants of any dtype. Commutative operators match in both orders. The right side is
        promoted as NumPy does, and cast to the dtype of what it replaces.
    when : callable, optional
        Given the variables' expressions by keyword, says whether the rule applies.
    name : str, optional
        As errors call it.
    **operators : Operator, ufunc or str
        Operators that the expressions call by other names than NumPy's.

    Returns
    -------
    Rule
        The rule, which holds where `structarr.options` has it.

    Raises
    ------
    ValueError
        If a side is no expression, or the right one has a variable that the left one has not.

    See Also
    --------
    rule : A rule of a function of nodes.
    structarr.testing.check_rules : The tests of rules.

    Examples
    --------
    >>> pair("log(exp(x))", "x")
    Rule(log(exp(x)) -> x)
    """
    known = {short: op_of(operator) for short, operator in operators.items()}
    return patterns.rewriting(left, right, when, name, known)
