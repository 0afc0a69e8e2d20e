"""What each role may do through the API, and who may hold a key to it."""

from accounts.models import Role, Scope, User

_LEARNING = (
    *(Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE, Scope.BUDGETS_READ),
    *(Scope.PLANS_READ, Scope.PLANS_WRITE),
    *(Scope.QUERY_PLANS_READ, Scope.QUERY_PLANS_WRITE, Scope.AUDIT_READ),
)
_DECIDING = (
    Scope.METRICS_READ,  # figures of the whole server, which are not told apart by learner
    *(Scope.GRADING_READ, Scope.GRADING_WRITE, Scope.BUDGETS_WRITE, Scope.REFLECTIONS_REVIEW),
)
FOR_STAFF = frozenset((Scope.TELEMETRY_READ, *_DECIDING))
"""What staff may use from a browser only after the code of their second factor."""
_BY_ROLE = {
    Role.LEARNER: _LEARNING,
    Role.INTEGRATOR: (*_LEARNING, Scope.TELEMETRY_READ),
    Role.STAFF: (*_LEARNING, Scope.TELEMETRY_READ, *_DECIDING),
}


def scopes_of(user: User) -> tuple[Scope, ...]:
    """What the user's role allows at most, in the order of `Scope`."""
    allowed = _BY_ROLE[Role(user.role)]
    return tuple(scope for scope in Scope if scope in allowed)


def may_hold_tokens(user: User) -> bool:
    """Whether the user signs in with an account: not a guest, not managed by a program, active and not erased."""
    return user.is_active and not user.is_guest and user.managed_by_id is None and user.erased_at is None
