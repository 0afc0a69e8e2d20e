"""What was counted of calls to models and of operations."""
