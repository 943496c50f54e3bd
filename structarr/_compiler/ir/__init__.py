"""The compiler's nodes, and the operators they call. Standard library only."""

from structarr._compiler.ir import semirings as semirings  # the table of operators has theirs
