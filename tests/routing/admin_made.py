"""Questions asked, corrected and failed through the services, for the pages of staff."""

from typing import Any

import pytest

from accounts.models import User
from routing.errors import ConsultFailed
from routing.models import LabelledExample, QueryPlan
from routing.router import Router
from routing.services import plan_correct, question_ask

EXCEDENCIA = "¿Es buen momento para solicitar excedencia en CGI?"
PRICES = "Have prices of flats near the seafront gone up over the last year?"


class Broken(Router):
    """A router with a fault of ours."""

    def routed(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
        raise RuntimeError("out of order")


def asked(user: User, message: str = PRICES, **options: Any) -> QueryPlan:
    return question_ask(user=user, message=message, **options)


def corrected(user: User, domain: str = "growth", message: str = PRICES) -> tuple[QueryPlan, QueryPlan]:
    """A plan, and the one that corrects it. What says nothing is about what the asker chooses, which is then wrong."""
    wrong = asked(user, message)
    if wrong.domains[0] == domain:
        wrong = asked(user, message, domain_hint="brand")
    return wrong, plan_correct(plan_id=wrong.pk, domain=domain, by=user)


def failed(user: User, message: str = PRICES) -> None:
    with pytest.raises(ConsultFailed):
        question_ask(user=user, message=message, router=Broken())


def example_of(plan: QueryPlan) -> LabelledExample:
    return LabelledExample.objects.get(question=plan.question_id)
