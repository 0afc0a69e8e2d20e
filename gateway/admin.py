"""The gateway's part of the administration. Its modules register their pages; money moves only through services."""

from gateway import admin_accounts, admin_calls, admin_entries, admin_prices, admin_timings, admin_watch

__all__ = ("admin_accounts", "admin_calls", "admin_entries", "admin_prices", "admin_timings", "admin_watch")
