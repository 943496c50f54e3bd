"""Lines that a pass leaves as they are, which it does not make again."""

from __future__ import annotations

from structarr._compiler.ir.conditions import TRUE, le
from structarr._compiler.ir.expr import INDEX, Buffer, Lit
from structarr._compiler.ir.kernel import Break, For, If, Line, Set, Store, While, every_line
from structarr._compiler.ir.variables import Var
from structarr._compiler.kernel_passes.blocks import Block, with_blocks
from structarr._compiler.kernel_passes.capacity_checks import check_capacity
from structarr._compiler.kernel_passes.dead_code import drop_dead_code

AT, N, T = (Var(INDEX, name) for name in ("i", "n", "t"))
TOTAL = Var(INDEX, "total", True)
STORE = Store(Buffer("val", "float64"), AT, Lit("float64", 1.0))
ZERO = Lit(INDEX, 0)
ARM = If(((le(AT, N), (STORE, Break())), (TRUE, (Set(TOTAL, TOTAL + 1),))))
LOOP = While((ARM,))
STRIDED = For(AT, ZERO, N, (STORE, LOOP), 2)


def test_lines_whose_blocks_stay_are_themselves() -> None:
    seen: list[Block] = []

    def same(block: Block) -> Block:
        seen.append(block)
        return (*block,)

    for line in (STORE, ARM, LOOP, STRIDED):
        assert with_blocks(line, same) is line
    assert seen == [*[body for _, body in ARM.arms], LOOP.body, STRIDED.body]


def test_lines_whose_blocks_change_keep_the_rest() -> None:
    found = with_blocks(STRIDED, lambda block: block[:1])
    assert found is For(AT, ZERO, N, (STORE,), 2)


def test_lines_of_a_block_come_in_their_order() -> None:
    wanted: tuple[Line, ...] = (STRIDED, STORE, LOOP, ARM, STORE, Break(), Set(TOTAL, TOTAL + 1))
    assert every_line((STRIDED,)) == wanted


def test_a_loop_without_dead_lines_is_itself() -> None:
    (found,) = drop_dead_code((STRIDED,))
    assert found is STRIDED


def test_a_loop_that_loses_a_line_keeps_its_step() -> None:
    dead = Set(T, AT + 1)
    assert drop_dead_code((For(AT, ZERO, N, (dead, STORE, LOOP), 2),)) == (STRIDED,)


def test_a_kernel_without_counts_that_may_grow_is_not_checked() -> None:
    block = (STRIDED,)
    assert check_capacity(block, frozenset(), {}) is block
