"""Rewritings of the lazy graph, one a file."""
