"""What evaluation tells the layers above."""

from django.dispatch import Signal

reflection_wanted = Signal()
"""Sent on commit, with `pending_id` (`evaluation.models.PendingReflection`): a nudge; the row is the work."""
