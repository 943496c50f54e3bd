"""The errors that structarr raises where NumPy has none of its own."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from types import TracebackType


class StructarrError(Exception):
    """
    Base of structarr's own errors, each of which is also of a kind of Python's.

    A traceback of one that nobody catches, and of any in a notebook, leaves out the frames of the
    package, so that it ends at the line of the user's. With ``STRUCTARR_DEBUG`` set in the
    environment it has all of them.

    See Also
    --------
    FormatError : A format cannot do what is asked.
    DensificationError : A dense array would be too large.
    ProgramError : A program breaks a rule of the language.

    Examples
    --------
    >>> import structarr as sa
    >>> try:
    ...     sa.asarray([1, 2], format="lst")
    ... except sa.errors.StructarrError as error:
    ...     print(type(error).__name__, isinstance(error, ValueError))
    FormatError True
    """

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython shows."""
        return "".join(told(self)).splitlines()


def told(error: BaseException) -> list[str]:
    """
    Return the lines of an error and of those that led to it, without the frames of the package.

    Parameters
    ----------
    error : BaseException
        The error, of any kind.

    Returns
    -------
    list of str
        What Python's `traceback.format_exception` gives, without those frames; with them if the
        environment has ``STRUCTARR_DEBUG``.

    See Also
    --------
    StructarrError : Errors that are shown so if nobody catches them.

    Examples
    --------
    >>> import structarr as sa
    >>> try:
    ...     sa.asarray([1, 2], format="lst")
    ... except sa.errors.FormatError as error:
    ...     print(told(error)[-1].partition(";")[0])
    structarr.errors.FormatError: format 'lst' is unknown
    """
    whole = traceback.TracebackException.from_exception(error)
    one: traceback.TracebackException | None = whole
    while one is not None and not os.environ.get("STRUCTARR_DEBUG"):
        own = os.path.dirname(__file__)
        kept = [at for at in one.stack if not at.filename.startswith((own, "<structarr"))]
        one.stack = traceback.StackSummary.from_list(kept or list(one.stack))
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
    return list(whole.format())


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, StructarrError) and sys.stderr is not None:
        print("".join(told(error)), end="", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    ours = issubclass(args.exc_type, StructarrError) and args.exc_value is not None
    if ours and sys.stderr is not None:
        name = "" if args.thread is None else args.thread.name
        lines = "".join(told(args.exc_value))  # type: ignore[arg-type]
        print(f"Exception in thread {name}:\n{lines}", end="", file=sys.stderr)
    else:
        threading.__excepthook__(args)


# A hook of anybody else's has reasons of its own.
if sys.excepthook is sys.__excepthook__:
    sys.excepthook = _uncaught
if threading.excepthook is threading.__excepthook__:
    threading.excepthook = _uncaught_in_thread


class FormatError(StructarrError, ValueError):
    """
    Error of a format: unknown, unable to hold the array, or with damaged buffers.

    What to do: take a format out of those that the message lists, or let ``format="auto"`` choose.

    See Also
    --------
    structarr.formats.names_for : The names of formats for a number of axes.
    structarr.Array.asformat : Conversions, which raise it.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.asarray([[1, 2], [3, 4]], format="crs")
    Traceback (most recent call last):
    ...
    structarr.errors.FormatError: format 'crs' is unknown; did you mean csr?; ...
    """


class DensificationError(StructarrError, MemoryError):
    """
    Error of an operation that would make a large dense array although nobody asked for one.

    What to do: store the operand in a format that keeps the result sparse, or ask for the dense
    array by ``a.todense()``, or raise the limit by ``sa.options(densify_limit=bytes)``.

    See Also
    --------
    structarr.options : `densify_limit`, 128 MiB by default.
    structarr.explain : Which operation makes the array dense, and why.

    Examples
    --------
    >>> import structarr as sa
    >>> with sa.options(densify_limit=100):
    ...     sa.fft.fft(sa.eye(10))
    Traceback (most recent call last):
    ...
    structarr.errors.DensificationError: ...
    """


class MemoryLimitError(StructarrError, MemoryError):
    """
    Error of a computation that would hold more memory than the option `memory_limit` allows.

    What to do: free results that are not needed, raise the limit, or write the result by rows with
    `structarr.save`, which holds some of them at a time.

    See Also
    --------
    structarr.options : `memory_limit`, without one by default.

    Examples
    --------
    >>> import structarr as sa
    >>> with sa.options(memory_limit=2**20):
    ...     (sa.ones((1000, 1000)).todense() * sa.ones((1000, 1), dtype="int8")).compute()
    Traceback (most recent call last):
    ...
    structarr.errors.MemoryLimitError: ...
    """


class ProgramError(StructarrError, ValueError):
    """
    Error of a program of loops that breaks a rule of the language, with its line and column.

    What to do is in the message, and what programs may consist of on the page on loops.

    See Also
    --------
    structarr.loops : Programs as text.
    structarr.kernel : Programs as functions.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.loops("y[i] = x[i / 2]", x=[1.0, 2.0])
    Traceback (most recent call last):
    ...
    structarr.errors.ProgramError: an index must be a whole number: divide by `//`, ...
    ...
    """


class OperatorError(StructarrError, TypeError):
    """
    Error of a user's operator: the function cannot be one, or a declared fact does not hold.

    What to do: leave out the fact that the message names, or declare the values by `samples=` for
    which it holds.

    See Also
    --------
    structarr.operator : Makes operators.

    Examples
    --------
    >>> import structarr as sa
    >>> sa.operator(lambda a, b: a - b, commutative=True)
    Traceback (most recent call last):
    ...
    structarr.errors.OperatorError: ...
    """


class RuleError(StructarrError, RuntimeError):
    """
    Error of a rewrite rule that fails, does not come to an end, or changes what is computed.

    What to do: test the rule by `structarr.testing.check_rules`, which finds the values that break
    it.

    See Also
    --------
    structarr.rules : Rules.

    Examples
    --------
    >>> import structarr as sa
    >>> back_and_forth = [sa.rules.pair("exp(x)", "expm1(x)"), sa.rules.pair("expm1(x)", "exp(x)")]
    >>> with sa.options(rules=back_and_forth):
    ...     sa.exp(sa.asarray([1.0, 2.0])).compute()
    Traceback (most recent call last):
    ...
    structarr.errors.RuleError: ...
    """


class TraceError(StructarrError, TypeError):
    """
    Error of a function under `structarr.jit` that does what no trace of it can repeat.

    What to do: take what the message names out of the function, such as a branch on a value, or
    make the argument that decides it one of `static_argnames`.

    See Also
    --------
    structarr.jit : Traces functions.

    Examples
    --------
    >>> import structarr as sa
    >>> @sa.jit
    ... def absolute(x):
    ...     return x if x > 0 else -x
    >>> absolute(sa.asarray(1.0))
    Traceback (most recent call last):
    ...
    structarr.errors.TraceError: ...
    """
