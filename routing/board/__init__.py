"""The board of the consult."""
