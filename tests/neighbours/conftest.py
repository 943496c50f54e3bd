"""What is not collected: namespaces for the public suites, whose imports would last for all tests.

One sets an option for good, another is imported by the name of a library, in whose place it stands.
Probes are a command.
"""

collect_ignore = ["array_api", "shims", "probes"]
