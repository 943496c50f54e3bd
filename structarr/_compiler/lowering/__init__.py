"""The driver that lowers concrete index notation to kernel IR, loop by loop."""
