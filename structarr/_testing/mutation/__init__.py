"""Mutation testing: the compiler with one fault at a time, which the tests are to find."""
