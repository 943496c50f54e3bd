"""Public functions of each element: operators, ufuncs, choices, predicates, dtypes."""
