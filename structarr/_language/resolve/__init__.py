"""Resolution of the language: from syntax to concrete index notation."""
