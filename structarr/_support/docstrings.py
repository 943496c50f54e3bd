"""Sections that docstrings share: each is written once, and docstrings name it.

A line ``$name`` of a docstring stands for the text of that name, and ``$name:word`` for the text
with the word in the place of ``{}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import cleandoc
from typing import Any, Final, TypeVar

from structarr._support.shared_sections import ERRORS, PARAMETERS, RESULTS

F = TypeVar("F", bound=Callable[..., Any])


def _parsed(text: str) -> dict[str, str]:
    """The text after each ``$name`` on a line of its own, up to the next."""
    found = {}
    for block in text.strip("\n").split("\n\n"):
        name, _, told = block.partition("\n")
        found[name.removeprefix("$")] = told
    return found


SHARED: Final = _parsed(PARAMETERS) | _parsed(RESULTS) | _parsed(ERRORS)
"""The text for each name."""

_NAMED: Final = re.compile(r"\$(\w+)(?::(.+))?$", re.MULTILINE)


def completed(text: str) -> str:
    """
    Return a docstring with the text of each shared section that it names.

    Examples
    --------
    >>> print(completed("$array:a"))
    a : array_like
        Array of any shape and dtype.
    """
    return _NAMED.sub(_expanded, text)


def _expanded(found: re.Match[str]) -> str:
    indent = _before(found)
    if indent.strip():
        return found[0]
    name, word = found.groups()
    text = SHARED[name].replace("{}", word or "{}", 1)
    return text.replace("\n", "\n" + indent)


def _before(found: re.Match[str]) -> str:
    """What is before a match on its line."""
    return found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]


def documented(function: F) -> F:
    """
    Complete a function's docstring.

    Examples
    --------
    >>> @documented
    ... def doubled(x):
    ...     '''
    ...     Return twice the elements.
    ...
    ...     Parameters
    ...     ----------
    ...     $array:x
    ...     '''
    >>> print(doubled.__doc__.strip().splitlines()[-1].strip())
    Array of any shape and dtype.
    """
    if function.__doc__:  # Python removes docstrings under -OO
        function.__doc__ = completed(function.__doc__)
    return function


def with_twin(text: str, twin: str) -> str:
    """
    Return a docstring that refers to NumPy's function of the same meaning.

    Examples
    --------
    >>> print(with_twin("Sum.\\n\\nSee Also\\n--------\\nprod", "numpy.sum"))
    Sum.
    <BLANKLINE>
    See Also
    --------
    numpy.sum : The same for arrays of NumPy.
    prod
    """
    line = f"{twin} : The same for arrays of NumPy."
    if line in text:
        return text
    return _SECTION.sub(lambda found: _with(found, line), text, count=1)


_SECTION: Final = re.compile(r"(See Also|Notes|Examples)\n *-{5,8}$", re.MULTILINE)


def _with(found: re.Match[str], line: str) -> str:
    """The line in its section, which comes before these two others."""
    indent = _before(found)
    if found[1] == "See Also":
        return f"{found[0]}\n{indent}{line}"
    return f"See Also\n{indent}--------\n{indent}{line}\n\n{indent}{found[0]}"


def as_method(text: str, function: Callable[..., Any]) -> str:
    """
    Return a method's docstring, with the sections of a function in the place of ``$function``.

    These are all between its summary and its examples, without the first parameter, which is the
    array, and with a reference to the function itself in the place of that to NumPy's.

    Examples
    --------
    >>> def doubled(x, n):
    ...     '''Double.
    ...
    ...     Parameters
    ...     ----------
    ...     x, n : array_like
    ...         The operands.
    ...
    ...     Examples
    ...     --------
    ...     None yet.
    ...     '''
    >>> print(as_method("Double.\\n\\n$function", doubled))
    Double.
    <BLANKLINE>
    Parameters
    ----------
    n : array_like
        The operands.
    """
    told, _, _ = cleandoc(function.__doc__ or "").partition("Examples\n--------")
    _, _, told = told.strip().partition("\n\n")
    sections = [_without_first(one) if one.startswith(_HEAD) else one for one in told.split("\n\n")]
    told = "\n\n".join([one for one in sections if one])
    told = _TWIN.sub(f"structarr.{function.__name__} : The same as a function.", told)
    return cleandoc(text).replace("$function", told)


_HEAD: Final = "Parameters\n----------\n"

_TWIN: Final = re.compile(r"^numpy\.[\w.]+ : The same for arrays of NumPy\.$", re.MULTILINE)


def _without_first(section: str) -> str:
    """The section of parameters without the first of them; "" if there is no other."""
    first, *others = re.split(r"\n(?=\S)", section.removeprefix(_HEAD))
    names, _, told = first.partition(" : ")
    _, _, left = names.partition(", ")
    entries = [f"{left} : {told}", *others] if left else others
    return _HEAD + "\n".join(entries) if entries else ""
