"""The scheduler: from an array expression to programs, and what they cost."""
