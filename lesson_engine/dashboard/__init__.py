"""What the dashboard shows of lessons."""
