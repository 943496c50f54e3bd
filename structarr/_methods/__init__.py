"""Methods of arrays that are functions of the package, by NumPy's signatures."""
