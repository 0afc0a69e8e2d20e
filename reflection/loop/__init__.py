"""From a failure to a stored reflection."""
