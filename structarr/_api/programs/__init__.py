"""Programs of users: loops, kernels, operators, index modifiers, and warming."""
