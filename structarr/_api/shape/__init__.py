"""Public functions that move elements: reshaping, joining, splitting, shifting."""
