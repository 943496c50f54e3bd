"""The commands of `python -m structarr`, a function each."""
