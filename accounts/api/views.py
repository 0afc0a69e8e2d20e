"""The API of accounts: learners of a program, known under its own names."""

from typing import Any

from django.http import HttpResponse
from pydantic import Field
from rest_framework.request import Request

from accounts.models import Scope
from accounts.services import managed_learner_erase
from core.api.base import ApiView, operation
from core.api.idempotency import idempotent
from core.contracts import Contract


class EraseLearnerBody(Contract):
    """Whom to erase."""

    learner: str = Field(min_length=1, max_length=120, description="The pseudonym under which you know the learner.")


class EraseLearnerView(ApiView):
    """Erasing a learner of one's own."""

    required_scopes = {"POST": Scope.SESSIONS_WRITE}

    @operation(
        id="learner_erase",
        summary="Erase a learner of yours for good",
        tag="Learners",
        request=EraseLearnerBody,
        response=None,
        status=204,
        request_example={"learner": "learner-7"},
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Their words and your name for them go; what they did stays without a name, and can be read here no longer.

        The same name begins a new learner afterwards. It cannot be undone. The answer is the same where there
        is no such learner (any more).
        """
        user: Any = request.user
        body = self.read(EraseLearnerBody)
        managed_learner_erase(integrator=user, pseudonym=body.learner)
        return HttpResponse(status=204)
