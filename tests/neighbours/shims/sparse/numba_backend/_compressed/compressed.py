"""Where pydata/sparse's tests find its compressed matrices."""

from sparse import CSC as CSC, CSR as CSR, GCXS as GCXS
