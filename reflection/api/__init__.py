"""The API of reflections."""
