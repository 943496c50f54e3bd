"""Images, volumes and label maps stored as runs along their last axis."""
