"""Before and after a soak, with the product's own services: what the people need, and whether everything adds up."""

import subprocess
import sys
import time
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.models import Role, Scope, User
from accounts.services import token_issue
from benchmarks.doubt import Question
from benchmarks.servers import Provider
from config.launcher import places
from gateway.contracts import Tier, Usage
from gateway.ledger import correct
from gateway.ledger.pricing import cost_of, price_of
from gateway.models import Account, Hold
from lesson_engine.models import Turn
from lesson_engine.services.lessons import lesson_import

_TEXTS = 400
_PATIENCE = 300.0
_PROOFS = (["ledger_check"], ["audit_verify"], ["audit_verify", "--anchors"])


def prepared(question: Question) -> dict[str, Any]:
    """The lesson whose answers leave the grader in doubt, and a program's token."""
    lesson_import(source=question.lesson_json())
    program = User.objects.create_user("soak", role=Role.INTEGRATOR)
    scopes = [Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE]
    _token, secret = token_issue(user=program, name="soak", scopes=scopes, days=7)
    return {"slug": question.slug, "texts": question.doubtful_texts(_TEXTS), "token": secret}


def faults(provider: Provider, tokens: tuple[int, int]) -> list[str]:
    """What does not add up once everything has come to rest, in sentences."""
    return [*_stuck(), *_money(provider, tokens), *_unproven()]


def _stuck() -> list[str]:
    """What is still under way long after the last request."""
    until, left = time.monotonic() + _PATIENCE, {"": 1}
    while left and time.monotonic() < until:
        time.sleep(1)
        found = {
            "turns that run": Turn.objects.filter(state=Turn.State.RUNNING).count(),
            "calls that are open": Hold.objects.filter(state__in=Hold.OPEN).count(),
            "amounts that are held": Account.objects.exclude(held=0).count(),
        }
        left = {name: count for name, count in found.items() if count}
    return [f"{count} {name}" for name, count in left.items()]


def _money(provider: Provider, tokens: tuple[int, int]) -> list[str]:
    """Put the provider's bill in place of unverified charges, as staff do; then both must say the same.

    Each answer says that it used as much, so the bill does not say which of the calls whose answer was lost it means.
    """
    price = price_of(Tier.THINKER, settings.THINKER_MODEL)
    each = cost_of(Tier.THINKER, price.tokens, Usage(input=tokens[0], output=tokens[1]))
    served = provider.used()["prompt"] // tokens[0]
    known = Hold.objects.filter(state=Hold.State.SETTLED, unverified=False, cost=each).count()
    staff = User.objects.get(username="staff")
    lost = list(Hold.objects.filter(unverified=True).order_by("reserved_at").values_list("pk", flat=True))
    print(f"{served} answers on the provider's bill; {known} charged at once, {len(lost)} lost and corrected by staff")
    for place, hold in enumerate(lost):
        cost = each if place < served - known else 0
        correct(hold_id=hold, by=staff, reason="The provider's bill", cost=cost)
    month = Account.objects.get(scope=Account.Scope.AGENT_MONTH, key=f"tutor:{timezone.now():%Y-%m}")
    if month.spent != served * each:
        return [f"spent {month.spent} micro-cents, and the provider's bill says {served * each}"]
    return []


def _unproven() -> list[str]:
    connection.close()
    found = []
    for words in _PROOFS:
        done = subprocess.run(
            [sys.executable, "manage.py", *words], cwd=places.PROJECT, capture_output=True, text=True, check=False
        )
        print(f"{' '.join(words)}: {done.stdout.strip() or done.stderr.strip()}")
        if done.returncode:
            found.append(f"{' '.join(words)} ended with {done.returncode}")
    return found
