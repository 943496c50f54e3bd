"""What the families of public functions share: operands, publishing, dense fallbacks."""
