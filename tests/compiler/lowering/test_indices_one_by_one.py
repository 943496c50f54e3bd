"""What an index is to a loop: driven by it, backwards, or not at all."""

from __future__ import annotations

from structarr._compiler.ir.cin import Loop, Offset, Pass, Permit, Stride
from structarr._compiler.ir.expr import Index, Lit
from structarr._compiler.lowering.unfurl import _affine, _runs_back

ROW, COLUMN = Index("i"), Index("j")
ZERO = Lit("int64", 0)
LOOP = Loop(ROW, ZERO, Lit("int64", 4), Pass(()))


def test_a_loop_drives_its_own_index_alone() -> None:
    assert _affine(ROW, LOOP) is ROW
    assert _affine(Permit(ROW), LOOP) == Permit(ROW)
    assert _affine(COLUMN, LOOP) is None
    assert _affine(Permit(COLUMN), LOOP) is None
    assert _affine(ROW + COLUMN, LOOP) is None


def test_two_turns_around_are_none() -> None:
    back = Stride(ROW, -1, ZERO)
    assert _runs_back(back) is True
    assert _runs_back(Offset(back, Lit("int64", 2))) is True
    assert _runs_back(Stride(Permit(back), -2, ZERO)) is False
    assert _runs_back(Permit(ROW)) is False
