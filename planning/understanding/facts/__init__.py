"""The facts of a task: numbers, dates, names, items."""
