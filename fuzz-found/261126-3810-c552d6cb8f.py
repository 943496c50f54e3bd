# TypeError at _compiler/backend/expression_source.py:_condition
# --replay 261126:3810
# TypeError: Index('j') cannot stand in a kernel
#   _compiler/backend/expression_source.py:171 _sum
#   _compiler/backend/expression_source.py:110 term
#   _compiler/backend/expression_source.py:88 atom
#   _compiler/backend/expression_source.py:83 operand
#   _compiler/backend/expression_source.py:79 text
#   _compiler/backend/expression_source.py:141 _condition
import numpy as np
import structarr as sa
from numpy import inf, nan
from structarr._testing.forcing import witnessed
from structarr._testing.fuzz.loops.lines import Line
from structarr._testing.fuzz.loops.operands import Function
from structarr._testing.fuzz.loops.plain import results_of
from structarr._testing.oracle.beside import Beside
from structarr.formats import *
x = np.array([1, 1, -3, 1], 'int16')
z = np.array([3, 0, 1, 2, 3, 1, 1, 1, 2, 2, 2, 1, 1, 2, 1, 1, 1], 'int16')
A = np.full((4, 17), 1, 'uint8')
T = np.array([-3, 0, 1, -3, 0, -3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3, 0, -1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, -1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 'int16').reshape((4, 17, 2))
f = np.array([0, 1, 13, 14], 'int64')
y = np.array([2, 0, 1, 0, 1, 0, 1, 0, 1, 2, 2, 1, 2, 1, 1, 0, 2], 'int16')
given = {'x': sa.asarray(x.copy(), fill_value=1).asformat(Format(OneBit(Element(None, None), None), (0,), 'int64')), 'z': sa.asarray(z.copy(), fill_value=0).asformat(Format(RunList(Element(None, None)), (0,), 'int64')), 'A': sa.asarray(A.copy(), fill_value=0).asformat(Format(Dense(OneBit(Element(None, None), None)), (0, 1), 'int64')), 'T': sa.asarray(T.copy(), fill_value=0).asformat(Format(Dense(Dense(TwoBit(Element(None, None), None))), (0, 1, 2), 'int64')), 'f': sa.asarray(f.copy(), fill_value=0).asformat(Format(SparseList(Element(None, None)), (0,), 'int64')), 'y': y.copy()}
text = """
def program(x, z, A, T, f, y):
    for l in range(1):
        if A[f[l], locate(window(2, 17, l))] == z[l]:
            tb = np.zeros(17, np.int16)
            for j in range(17):
                tb[l] += (coalesce(T[permit(j + l - 2), gallop(j), offset(2, l)], 0) if offset(2, l) >= 0 else 0) * x[reflect(offset(1, l))] if l + 1 != 2 * j else coalesce(T[l, l, permit(l + 1)], 1)
            for q in range(T.shape[1]):
                y[q] *= tb[q] * l
                y[q] *= l
    return y
"""
want = results_of(text, dict(x=x, z=z, A=A, T=T, f=f, y=y))
run = lambda: sa.kernel(text)(**given)
with sa.options(tier='interpreted', strict_ieee=False, threads=1), witnessed(Beside(), None, None):
    got = run()
got = got if isinstance(got, tuple) else (got,)
got = np.concatenate([one.todense().reshape(-1) for one in got])
want = np.concatenate([np.reshape(one, -1) for one in want]).astype(got.dtype)
print(got, want, sep='\n')
