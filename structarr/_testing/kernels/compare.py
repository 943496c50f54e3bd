"""The records of two commits: which cases are the same, and how the others differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import TypeAlias

from .case import Case
from .names import alike, canonical
from .record import Record
from .write import text_of

Records: TypeAlias = Mapping[str, Record]  # by the names of cases


@dataclass(frozen=True)
class Comparison:
    """
    The differences between an older and a newer code.

    Attributes
    ----------
    same, renamed : list of Case
        The cases with equal texts, and with texts that are equal but for the names of variables.
    changes : dict of str to list of Case
        The cases that differ in one way, by a diff that shows it.
    older, newer : list of tuple of Case and str
        The cases that run in that code alone, with the other's error.
    unknown : tuple of str
        The parts of records that one of them does not tell; they are not compared.
    """

    same: list[Case] = field(default_factory=list)
    renamed: list[Case] = field(default_factory=list)
    changes: dict[str, list[Case]] = field(default_factory=dict)
    older: list[tuple[Case, str]] = field(default_factory=list)
    newer: list[tuple[Case, str]] = field(default_factory=list)
    unknown: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs but names."""
        return not (self.changes or self.older or self.newer)


def compared(cases: list[Case], before: Records, after: Records, names: bool = False) -> Comparison:
    """Compare the records of cases; `names` leaves out what is a renaming of variables."""
    unknown = tuple(sorted(_titles(before) ^ _titles(after)))
    found = Comparison(unknown=unknown)
    ways: dict[tuple[str, ...], str] = {}  # what is changed, and the first diff that shows it
    for case in cases:
        old, new = (_told(one[case.name], unknown) for one in (before, after))
        failed = [_error(one) for one in (old, new)]
        if old == new:
            found.same.append(case)
        elif all(failed) or not any(failed):
            if names and canonical(old) == canonical(new):
                found.renamed.append(case)
                continue
            lines = list(_diff(case, old, new, names))
            way = tuple(
                line[:2] if line.startswith("@@") else line for line in lines if line[0] != " "
            )
            shown = ways.setdefault(way, "\n".join(lines))
            found.changes.setdefault(shown, []).append(case)
        elif failed[0]:
            found.newer.append((case, failed[0]))
        else:
            found.older.append((case, failed[1]))
    return found


def report(found: Comparison, before: str, after: str) -> Iterator[str]:
    """The lines that tell a comparison: counts, what runs in one alone, and the diffs."""
    renamed = f", {len(found.renamed)} more but for names" if found.renamed else ""
    changed = sum(map(len, found.changes.values()))
    yield f"{len(found.same)} cases are unchanged{renamed}; {changed} are changed, " + (
        f"in {len(found.changes)} ways"
    )
    if found.unknown:
        yield f"not compared, as one of both does not tell it: {', '.join(found.unknown)}"
    for alone, other in ((found.older, after), (found.newer, before)):
        if alone:
            yield f"\n{len(alone)} cases do not run in {other}:"
            yield from (f"    {case.text}\n        {error}" for case, error in alone)
    ways = sorted(found.changes.items(), key=lambda way: -len(way[1]))
    for number, (diff, cases) in enumerate(ways, 1):
        yield f"\n==== change {number} of {len(ways)}, in {len(cases)} cases"
        yield from (f"     {case.text}" for case in cases)
        yield f"--- {before}\n+++ {after}\n{diff}"


def _titles(records: Records) -> set[str]:
    """The titles of the parts that a code records of kernels."""
    found = {title for record in records.values() for title, _ in record}
    return found & {"program", "kernel", "call"}


def _told(record: Record, unknown: tuple[str, ...]) -> Record:
    return tuple((title, text) for title, text in record if title not in unknown)


def _error(record: Record) -> str:
    return next((text for title, text in record if title == "error"), "")


def _diff(case: Case, old: Record, new: Record, names: bool) -> Iterator[str]:
    """The lines of a diff of two records, without its head."""
    before, after = text_of(case, old), text_of(case, new)
    if names:
        before = alike(before, after)
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="")
    return (line.rstrip() or " " for line in list(lines)[2:])
