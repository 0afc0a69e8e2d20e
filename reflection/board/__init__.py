"""The board of the quality of reflections."""
