"""What may be remembered, its vector, and how much it matters for a task."""
