"""The compiler's nodes, and the operators they call. Standard library only."""
