"""Arrays with structure, compiled through looplets."""
