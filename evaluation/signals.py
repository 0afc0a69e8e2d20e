"""Signals of evaluation to the layers above."""

from django.dispatch import Signal

evaluations_superseded = Signal()
"""Sent in the transaction that stores another result of the plan `plan_id`: what was said of it before counts no more,
and whatever followed from it is to be taken back.
"""
reflection_wanted = Signal()
"""Sent on commit, with `pending_id` (`evaluation.models.PendingReflection`): a nudge; the row is the work."""
