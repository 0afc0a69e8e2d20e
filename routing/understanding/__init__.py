"""From a reading of a message to what its plan says, and why."""
