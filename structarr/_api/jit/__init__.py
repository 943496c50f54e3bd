"""Functions of arrays that are traced once for each structure of their arguments."""
