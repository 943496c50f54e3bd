"""The lazy expression: a graph of nodes that says what was called."""
