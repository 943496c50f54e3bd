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

from structarr._compiler.ir.cin import Access as Access
from structarr._compiler.ir.cin import Assign as Assign
from structarr._compiler.ir.cin import Fiber as Fiber
from structarr._compiler.ir.cin import Loop as Loop
from structarr._compiler.ir.cin import Multi as Multi
from structarr._compiler.ir.cin import Offset as Offset
from structarr._compiler.ir.cin import Pass as Pass
from structarr._compiler.ir.cin import Permit as Permit
from structarr._compiler.ir.cin import Protocol as Protocol
from structarr._compiler.ir.cin import Sieve as Sieve
from structarr._compiler.ir.cin import Stmt as Stmt
from structarr._compiler.ir.cin import Stride as Stride
from structarr._compiler.ir.cin import Tensor as Tensor
from structarr._compiler.ir.cin import Where as Where
from structarr._compiler.ir.expr import FALSE as FALSE
from structarr._compiler.ir.expr import INDEX as INDEX
from structarr._compiler.ir.expr import TRUE as TRUE
from structarr._compiler.ir.expr import Buffer as Buffer
from structarr._compiler.ir.expr import Call as Call
from structarr._compiler.ir.expr import Cast as Cast
from structarr._compiler.ir.expr import Coalesce as Coalesce
from structarr._compiler.ir.expr import Expr as Expr
from structarr._compiler.ir.expr import Helper as Helper
from structarr._compiler.ir.expr import Index as Index
from structarr._compiler.ir.expr import Lit as Lit
from structarr._compiler.ir.expr import Not as Not
from structarr._compiler.ir.expr import Var as Var
from structarr._compiler.ir.expr import both as both
from structarr._compiler.ir.expr import eq as eq
from structarr._compiler.ir.expr import floor_div as floor_div
from structarr._compiler.ir.expr import le as le
from structarr._compiler.ir.expr import lt as lt
from structarr._compiler.ir.expr import maximum as maximum
from structarr._compiler.ir.expr import minimum as minimum
from structarr._compiler.ir.kernel import Do as Do
from structarr._compiler.ir.kernel import For as For
from structarr._compiler.ir.kernel import If as If
from structarr._compiler.ir.kernel import Line as Line
from structarr._compiler.ir.kernel import Lines as Lines
from structarr._compiler.ir.kernel import Set as Set
from structarr._compiler.ir.kernel import Store as Store
from structarr._compiler.ir.node import Node as Node
from structarr._compiler.ir.node import substitute as substitute
from structarr._compiler.ir.ops import OPS as OPS
from structarr._compiler.ir.ops import Op as Op
