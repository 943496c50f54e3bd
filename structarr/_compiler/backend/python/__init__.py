"""The interpreted tier: the text of a kernel runs as plain Python."""
