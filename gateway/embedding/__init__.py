"""The local embedder and the vectors it remembers."""
