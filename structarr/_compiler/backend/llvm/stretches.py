"""Stretches that loops copy to where they are in another buffer, such as those between entries.

LLVM makes a call of `memcpy` of each loop that copies. Where stretches follow one another that call
takes longer than they do: each begins anew to read ahead. So they are copied by a function of which
LLVM makes no call.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from structarr._compiler.backend.llvm.writer import Writer
from structarr._compiler.backend.text.kinds import Kind

_COPY = """\
define internal void @{name}(ptr noalias %to, ptr noalias %from, i64 %count) \
nounwind noinline "no-builtins" {{
entry:
  br label %turn
turn:
  %k = phi i64 [ 0, %entry ], [ %next, %turn ]
  %source = getelementptr inbounds {kind}, ptr %from, i64 %k
  %target = getelementptr inbounds {kind}, ptr %to, i64 %k
  %value = load {kind}, ptr %source
  store {kind} %value, ptr %target
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %turn, label %end
end:
  ret void
}}"""


def copied_in_place(
    name: str, bounds: Sequence[ast.expr], body: Sequence[ast.stmt]
) -> tuple[ast.Subscript, ast.Subscript] | None:
    """What a loop copies, and where to, if it does nothing else and the place is the same in both.

    The place is the loop's variable and something else, as in rows of a matrix: a loop that goes
    along whole buffers, or moves what it copies, may be left to `memcpy`.
    """
    match body:
        case [
            ast.Assign(
                [ast.Subscript(ast.Name(to), ast.Call(ast.Name("u"), [place])) as target],
                ast.Subscript(ast.Name(source), at) as value,
            )
        ] if to != source and len(bounds) < 3:
            pass
        case _:
            return None
    terms = list(_terms(place))
    own = [one for one in terms if isinstance(one, ast.Name) and one.id == name]
    others = [one for term in terms if term not in own for one in ast.walk(term)]
    if len(own) != 1 or not others:
        return None
    if any(isinstance(one, ast.Name) and one.id == name for one in others):
        return None
    return (target, value) if ast.dump(target.slice) == ast.dump(at) else None


def _terms(place: ast.expr) -> list[ast.expr]:
    match place:
        case ast.BinOp(left, ast.Add(), right):
            return [*_terms(left), *_terms(right)]
    return [place]


def copy(writer: Writer, kind: Kind, to: str, source: str, count: str) -> None:
    """Copy so many elements, one at least, from an address to another."""
    name = f"copy.{kind.name}"
    writer.declared.setdefault(name, _COPY.format(name=name, kind=kind.stored))
    writer.line(f"call void @{name}(ptr {to}, ptr {source}, i64 {count})")
