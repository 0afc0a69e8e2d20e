"""The Consult page."""
