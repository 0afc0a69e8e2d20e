"""Which words of a task belong together."""
