"""Programs that are written as loops: their syntax, what their names mean, and how they run."""
