"""Rewrite rules: the engine, the algebra of values, statements, and the prover of bounds."""
