"""What is not collected: namespaces for the public suite, whose import sets an option for good."""

collect_ignore = ["array_api"]
