"""Public functions composed of elementwise ones, reductions and shapes; methods of ufuncs."""
