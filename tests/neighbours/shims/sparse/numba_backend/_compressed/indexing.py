"""Private functions of pydata/sparse, which its tests import; those of ours are elsewhere."""
