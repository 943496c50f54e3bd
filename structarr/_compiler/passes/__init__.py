"""The passes from an array expression to a program; `pipeline` lists them in order."""
