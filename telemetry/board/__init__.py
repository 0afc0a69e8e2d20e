"""The dashboard of staff: its page, charts and filters."""
