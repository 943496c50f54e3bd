"""The cache on disk, shared by processes: its folder, and the digests in its keys."""
