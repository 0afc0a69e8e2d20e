"""Criteria held against results, by rules alone. Sources: RF-007; design.md, "Settled", 6 and 7; docs/checks.md."""

from .walk import ResultReading, result_read

__all__ = ("ResultReading", "result_read")
