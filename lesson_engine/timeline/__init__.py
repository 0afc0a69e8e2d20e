"""A session as a conversation that staff can read."""
