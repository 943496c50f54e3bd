"""Reading of the language: from text or functions to syntax."""
