"""Explanations of expressions and programs."""

from __future__ import annotations

from typing import Any

from structarr._api.programs.loops import Kernel, call_of_text
from structarr._api.programs.over_runs import RunKernel
from structarr._array import Array
from structarr._explain import explain as _explain
from structarr._explain.explain import Explained


def explain(
    program: Array | str | Kernel | RunKernel,
    /,
    *args: Any,
    measure: bool = False,
    **operands: Any,
) -> Explained:
    """
    Explain a lazy array or a program of loops, stage by stage of its compilation.

    Parameters
    ----------
    program : Array, str or Kernel
        An expression; one that is computed already tells its format, and how many bytes it would
        take in any other. Or a program as `loops` takes it, or a function under `kernel`.
    *args, **operands
        What the program would be called with; beside a text also `order`, `extents` and `out`.
        Of several stages, all but the last are run.
    measure : bool
        Of an expression: whether each candidate is run and timed, and the programs of the last
        kernel with them; those that are expected to take more than a second are not.

    Returns
    -------
    Explanation, ProgramExplanation or StoredExplanation
        With `format`, `inputs`, `cin`, `looplets`, `steps`, `kernel`, `cost` and `plan`, or
        `sizes`; `stages` has them for each kernel of a program. ``str()`` reads well.

    Raises
    ------
    TypeError
        If `program` is none of these, or operands are given in a way that it does not take.
    ProgramError
        If a text breaks a rule of the language.

    See Also
    --------
    spy : Where an array stores something.
    profile : What ran, and for how long.

    Notes
    -----
    `cost` is an estimate of the iterations of all loops. It takes from the operands how much each
    level stores, and supposes that this is spread evenly and independently.

    `candidates` of an expression are the orders of its products, or its sums multiplied out, each
    with its price; where there are several, ``str()`` ends with a table of them.

    Examples
    --------
    >>> import structarr as sa
    >>> a = sa.asarray([0.0, 2.0, 0.0], format="list")
    >>> print(sa.explain(a * 3.5).cin)
    for i in [0, i_n):
        C[i] = A[i] * scalar0
    >>> print(str(sa.explain(a)).splitlines()[0])
    stored as list in 32 bytes
    >>> sa.explain(a).sizes.splitlines()[0].split()
    ['point', '12', '1.00']
    >>> explained = sa.explain("s += a[i] * b[i]", a=a, b=[1.0, 2.0, 3.0])
    >>> print(explained.stages[0].summary)
    a: list, b: dense -> s: dense
    loops over i; about 1 steps
    >>> print(explained.steps[-1])
    simplified:
    pass
    """
    if isinstance(program, str):
        asked = {name: operands.pop(name, None) for name in ("order", "extents", "out")}
        if args:
            raise TypeError("explain takes the operands of a text by name, as loops does")
        return _explain.explain_program(*call_of_text(program, **asked, operands=operands))
    if isinstance(program, RunKernel):
        raise TypeError(
            f"{program!r} is done as it is written, so that there is nothing to explain: call it, "
            "and read the texts of its loops in its attribute `sources`"
        )
    if isinstance(program, Kernel):
        return _explain.explain_program(*program.call(args, operands))
    if not isinstance(program, Array):
        raise TypeError(
            "explain takes a structarr array, the text of a program or a function under "
            f"structarr.kernel, not {type(program).__name__}"
        )
    if args or operands:
        raise TypeError("explain takes an array alone, as it holds its operands")
    return _explain.explain(program._node, measure)
