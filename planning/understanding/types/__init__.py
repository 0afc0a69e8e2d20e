"""Which type a task is of."""
