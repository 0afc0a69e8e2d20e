"""Before and after a soak, with the product's own services: what the people need, and whether everything adds up."""

import subprocess
import sys
import time
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.models import Sum

from accounts.models import Role, Scope, User
from accounts.services import token_issue
from benchmarks.doubt import Question
from benchmarks.servers import Provider
from config.launcher import places
from evaluation.models import PendingReflection
from gateway.contracts import Tier, Usage
from gateway.ledger import correct
from gateway.ledger.pricing import cost_of
from gateway.models import Account, Hold
from lesson_engine.models import Turn
from lesson_engine.services.lessons import lesson_import

_TEXTS = 400
_PATIENCE = 300.0
_PROOFS = (["ledger_check"], ["audit_verify"], ["audit_verify", "--anchors"])


def prepared(question: Question) -> dict[str, Any]:
    """The lesson whose answers leave the grader in doubt, and a program's token. What was there before is anchored."""
    lesson_import(source=question.lesson_json())
    program = User.objects.create_user("soak", role=Role.INTEGRATOR)
    scopes = [Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE, Scope.PLANS_READ, Scope.PLANS_WRITE]
    _token, secret = token_issue(user=program, name="soak", scopes=scopes, days=7)
    call_command("audit_anchor")
    return {"slug": question.slug, "texts": question.doubtful_texts(_TEXTS), "token": secret}


def faults(provider: Provider) -> list[str]:
    """What does not add up once everything has come to rest, in sentences."""
    return [*_stuck(), *_money(provider), *_unproven()]


def _stuck() -> list[str]:
    """What is still under way long after the last request."""
    until, left = time.monotonic() + _PATIENCE, {"": 1}
    while left and time.monotonic() < until:
        time.sleep(1)
        found = {
            "turns that run": Turn.objects.filter(state=Turn.State.RUNNING).count(),
            "calls that are open": Hold.objects.filter(state__in=Hold.OPEN).count(),
            "amounts that are held": Account.objects.exclude(held=0).count(),
            "failures that wait to be reflected on": PendingReflection.objects.filter(state="running").count(),
        }
        left = {name: count for name, count in found.items() if count}
    return [f"{count} {name}" for name, count in left.items()]


def _money(provider: Provider) -> list[str]:
    """Hold each call against the provider's bill, and put the bill in place of unverified charges, as staff do."""
    bill, staff = provider.bill(), User.objects.get(username="staff")
    wrong, lost, total = 0, 0, 0
    for hold in Hold.objects.select_related("price").order_by("reserved_at"):
        prompt, completion = bill.pop(str(hold.pk), (0, 0))
        usage = Usage(input=prompt, output=completion)
        cost = cost_of(Tier(hold.tier), hold.price.tokens, usage)
        total += cost
        if hold.unverified:
            lost += 1
            correct(hold_id=hold.pk, by=staff, reason="The provider's bill", cost=cost)
        elif hold.cost != cost:
            wrong += 1
    print(f"{Hold.objects.count()} calls, {lost} of them with an answer that was lost; {total} micro-cents on the bill")
    months = Account.objects.filter(scope=Account.Scope.AGENT_MONTH).aggregate(spent=Sum("spent"))["spent"]
    return [
        *([f"{len(bill)} calls are on the provider's bill alone"] if bill else []),
        *([f"{wrong} calls cost another amount than the provider's bill says"] if wrong else []),
        *([f"the months say {months} micro-cents, and the bill {total}"] if months != total else []),
    ]


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
