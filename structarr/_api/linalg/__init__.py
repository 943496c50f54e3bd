"""Linear algebra: contractions, matrices, norms, decompositions, solving, and graphs."""
