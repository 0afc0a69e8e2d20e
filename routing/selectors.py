"""Reads of the consult."""

from django.db.models import Q, QuerySet

from accounts.models import User
from routing.models import AuditEntry, QueryPlan


def plans_of(user: User) -> QuerySet[QueryPlan]:
    """The plans of the questions of a user and of the learners under their management."""
    return QueryPlan.objects.filter(Q(question__user=user) | Q(question__user__managed_by=user))


def entries_of(user: User) -> QuerySet[AuditEntry]:
    """The audit entries of the same."""
    return AuditEntry.objects.filter(Q(question__user=user) | Q(question__user__managed_by=user))
