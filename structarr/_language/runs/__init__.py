"""Programs over runs: loops in order, with state, over the stretches of equal elements of rows."""
