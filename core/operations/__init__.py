"""Keeping the server running: logs, readiness, nudges to workers, waiting without a connection."""
