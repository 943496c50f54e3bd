"""Questions of somebody who has never seen the package, answered by docstrings alone.

Each answer is words of the docstring that `help` shows for a name which its summary leads to.
"""

import inspect
import re
from typing import Any

import pytest

import structarr as sa

QUESTIONS = {
    "How do I turn a SciPy matrix into an array, and is it copied?": (
        "asarray",
        "None keeps the structure.*Sharing buffers takes constant time",
    ),
    "I have rows, columns and values. What makes a matrix of them, and what of duplicates?": (
        "from_coordinates",
        "coordinates, in any order.*same coordinates are added up or refused",
    ),
    "Which names may I give as format=?": ("formats.names_for", "names that a format of `ndim`"),
    "How do I convert to CSC, and what does that cost?": (
        "Array.asformat",
        "another format.*time in proportion to what both formats store",
    ),
    "How do I get NumPy's array back, to write into?": ("Array.todense", "fresh, writable"),
    "How do I get back to SciPy?": ("Array.to_scipy", "nearest to that of the array"),
    "What is the number of nonzeros, and does it count explicit zeros?": (
        "Array.nnz",
        "Explicit zeros count",
    ),
    "When is anything computed, and how do I force it?": ("Array.compute", "Compute the value now"),
    "How do I compute two results in one pass over the data?": (
        "compute",
        "computed by one kernel, in one pass",
    ),
    "My result is dense. How do I find out why?": (
        "explain",
        "stage by stage.*`format`.*`candidates`",
    ),
    "What limits memory, and how do I raise the limit?": (
        "options",
        "densify_limit : int.*size in bytes.*memory_limit : int or None",
    ),
    "How do I see where my matrix stores something?": ("spy", "Draw where an array stores"),
    "What took the time in this block?": ("profile", "which kernels run.*how long"),
    "Does a[i, j] = v change views of a? Is it fast in a loop?": (
        "Array.__setitem__",
        "keep the old value.*many single assignments are slow",
    ),
    "How do I loop over elements myself, without NumPy's functions?": (
        "loops",
        "free indices.*only what the operands store is visited",
    ),
    "Can the value that is not stored be other than zero?": (
        "with_fill",
        "same stored entries with another fill value",
    ),
    "How do I solve A x = b for a sparse A, and by what?": (
        "linalg.solve",
        "factored by LAPACK within the band.*SuperLU",
    ),
    "How many threads are used, and does the result depend on it?": (
        "options",
        "the result is the same for any number",
    ),
    "How do I save an array that does not fit in memory?": (
        "save",
        "rows at a time.*need not fit in memory",
    ),
    "How do I do shortest paths, by a product over (min, +)?": (
        "matmul",
        "semirings.min_plus.*their fill value is its zero",
    ),
    "What does the CSR level store?": (
        "formats.SparseList",
        r"ptr\[p\]:ptr\[p \+ 1\].*binary search",
    ),
    "What is an error about densify_limit telling me to do?": (
        "errors.DensificationError",
        "What to do: .*todense.*densify_limit",
    ),
    "Does sum of int8 overflow?": ("sum", "small integer dtypes are summed as int64"),
    "Is sort of a sparse matrix dense?": ("sort", "lists stay lists"),
}


def shown(name: str) -> str:
    """The docstring of a name, on one line."""
    found: Any = sa
    for one in name.split("."):
        found = getattr(found, one)
    return " ".join((inspect.getdoc(found) or "").split())


@pytest.mark.parametrize("question", QUESTIONS)
def test_docstrings_answer(question: str) -> None:
    name, answer = QUESTIONS[question]
    assert re.search(answer, shown(name)), f"{question}\nhelp(sa.{name}) says:\n{shown(name)}"
