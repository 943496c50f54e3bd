"""Targets: how a kernel becomes something callable, for those who write one.

A target has one method, `build`. It is given the functions of a kernel, which are nodes, and the
types of its parameters, and returns a callable; `Target` says what it has to know. Kernels of
programs over runs are Python's texts, and `TextTarget` has a method for these. It runs kernels
where it is named as the tier: ``sa.options(tier=target)``. `check_target` in `structarr.testing`
proves one, and the page on extending structarr has an example.

Lines are `Set`, `Make`, `Store`, `Do`, `If`, `For`, `While`, `Break`, `Invoke` and `Check`.
Values are `Lit`, `Var`, `Load`, `Cast`, `Call` of an operator, and `Helper`, a call of one of the
functions in `HELPERS`. Indices are these and `Sum`, `Product`, `FloorDiv`, `Min` and `Max`;
conditions are `Le`, `Eq`, `All`, `Not`, and values that are true or false. `every_line` lists the
lines of a block with those nested in it, and `nodes` of a node what it consists of.

Variables and buffers are told apart as nodes: what they are called is for people, and not unique.
`Names` gives each a name in a text. Targets whose text is like Python's derive a `Printer` from
ours.

Examples
--------
>>> import structarr as sa
>>> class Read:
...     \"""Kernels as the interpreted tier runs them; notes the buffers that they read.\"""
...
...     def __init__(self):
...         self.buffers = set()
...
...     def build(self, functions, params):
...         for expr in (expr for one in functions for expr in one.expressions()):
...             self.buffers |= {load.buffer.label for load in expr.every(Load)}
...         return PYTHON.build(functions, params)
>>> target = Read()
>>> with sa.options(tier=target):
...     a = sa.asarray([0.0, 2.0, 1.0], format="list")
...     (a * 3.0).sum().item()
9.0
>>> target.buffers >= {"A0_ptr", "A_val", "C_val"}
True
"""

from structarr._compiler.backend.expression_source import Expressions as Expressions
from structarr._compiler.backend.line_source import Printer as Printer
from structarr._compiler.backend.names import Names as Names
from structarr._compiler.backend.params import Param as Param
from structarr._compiler.backend.protocol import Target as Target, TextTarget as TextTarget
from structarr._compiler.backend.python.scalars import scalar_function as scalar_function
from structarr._compiler.backend.python.target import PYTHON as PYTHON
from structarr._compiler.ir.conditions import All as All, Eq as Eq, Le as Le, Not as Not
from structarr._compiler.ir.dtypes import (
    COMPLEX as COMPLEX,
    FLOATS as FLOATS,
    INEXACT as INEXACT,
)
from structarr._compiler.ir.expr import (
    INDEX as INDEX,
    Buffer as Buffer,
    Call as Call,
    Cast as Cast,
    Expr as Expr,
    FloorDiv as FloorDiv,
    Helper as Helper,
    Lit as Lit,
    Load as Load,
    Max as Max,
    Min as Min,
    Product as Product,
    Sum as Sum,
)
from structarr._compiler.ir.kernel import (
    Break as Break,
    Check as Check,
    Do as Do,
    For as For,
    Function as Function,
    If as If,
    Invoke as Invoke,
    Line as Line,
    Make as Make,
    Set as Set,
    Store as Store,
    While as While,
    every_line as every_line,
)
from structarr._compiler.ir.node import Node as Node
from structarr._compiler.ir.ops import OPS as OPS, Op as Op
from structarr._compiler.ir.variables import Var as Var
from structarr._compiler.runtime import HELPERS as HELPERS
