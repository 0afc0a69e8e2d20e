"""Reads of the consult."""

from django.db.models import QuerySet

from accounts.models import User
from accounts.selectors import users_seen_by
from routing.models import AuditEntry, QueryPlan


def plans_of(user: User) -> QuerySet[QueryPlan]:
    """The plans of the questions of a user and of the learners under their management."""
    return QueryPlan.objects.filter(question__user__in=users_seen_by(user, also_erased=True))


def entries_of(user: User) -> QuerySet[AuditEntry]:
    """The audit entries of the same."""
    return AuditEntry.objects.filter(question__user__in=users_seen_by(user, also_erased=True))
