"""The API of money and metrics."""
