"""The gateway's part of the administration. Each module registers its pages; money moves only through services."""

from gateway.admin import accounts, calls, entries, prices, timings, watch  # noqa: F401
