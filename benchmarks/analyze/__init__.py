"""Measures the parts of Analyze on public data that is read from a folder beside the project."""
