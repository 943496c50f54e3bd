"""Functions of labelled arrays for which xarray itself calls libraries of NumPy's arrays alone."""
