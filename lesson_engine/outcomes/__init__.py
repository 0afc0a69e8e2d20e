"""What a session came to: results, goals, expected answers."""
