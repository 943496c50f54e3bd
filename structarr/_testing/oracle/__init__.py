"""The oracle: concrete index notation evaluated over dense arrays, element by element.

It shares the classes of nodes with the compiler and nothing else, knows no format, no looplet and
no rule, and is as slow as Python. What it computes is the meaning of a program.
"""
