"""The compiler's nodes: fibers and statements of programs, expressions, and lines of kernels.

A format meets them in its methods: a `Fiber` is what it is asked to read or write, expressions say
where, and lines are what a kernel does beside.

Examples
--------
>>> i = Var(INDEX, "i")
>>> i + 2 - i
Lit('int64', 2, False)
>>> lt(i, i + 1) is TRUE
True
"""

from structarr._compiler.ir.cin import (
    Access as Access,
    Assign as Assign,
    Fiber as Fiber,
    Loop as Loop,
    Multi as Multi,
    Offset as Offset,
    Pass as Pass,
    Permit as Permit,
    Protocol as Protocol,
    Sieve as Sieve,
    Stmt as Stmt,
    Stride as Stride,
    Tensor as Tensor,
    Where as Where,
)
from structarr._compiler.ir.conditions import (
    FALSE as FALSE,
    TRUE as TRUE,
    Not as Not,
    both as both,
    eq as eq,
    le as le,
    lt as lt,
)
from structarr._compiler.ir.dtypes import COMPLEX as COMPLEX
from structarr._compiler.ir.expr import (
    INDEX as INDEX,
    Buffer as Buffer,
    Call as Call,
    Cast as Cast,
    Expr as Expr,
    Helper as Helper,
    Index as Index,
    Lit as Lit,
    floor_div as floor_div,
    maximum as maximum,
    minimum as minimum,
)
from structarr._compiler.ir.kernel import (
    Do as Do,
    For as For,
    If as If,
    Line as Line,
    Lines as Lines,
    Set as Set,
    Store as Store,
)
from structarr._compiler.ir.missing import Coalesce as Coalesce
from structarr._compiler.ir.node import Node as Node, substitute as substitute
from structarr._compiler.ir.ops import OPS as OPS, Op as Op, operator_named as operator_named
from structarr._compiler.ir.variables import Opaque as Opaque, Var as Var
