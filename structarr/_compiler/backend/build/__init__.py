"""
Building of kernels: a callable made of a source text.

`interpret` runs the text as plain Python, `compiled` through Numba with the help of `diskcache`,
and `kernel` decides between the two. `call` makes a kernel of one helper.
"""

from structarr._compiler.backend.build.call import call
from structarr._compiler.backend.build.kernel import Kernel, build, statistics
from structarr._compiler.backend.build.params import Param

__all__ = ["Kernel", "Param", "build", "call", "statistics"]
