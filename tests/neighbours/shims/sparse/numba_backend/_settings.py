"""Settings of pydata/sparse that its tests ask for."""

NEP18_ENABLED = True
IS_NUMPY2 = True
