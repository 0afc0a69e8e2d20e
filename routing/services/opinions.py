"""The router for a user: with a model where the settings and the budget allow one."""

import uuid
from functools import cache, partial
from typing import Final

import structlog
from django.conf import settings
from pydantic import BaseModel, Field, create_model

from accounts.models import User
from gateway.client import Model, Structured
from gateway.client.tiers import is_configured
from gateway.contracts import Payer, Tier
from gateway.errors import (
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
    ModelUnavailable,
    ProviderFailed,
    SchemaNotMet,
)
from gateway.models import Hold
from gateway.operations.deadlines import operation_run
from gateway.operations.degradation import degradation_allows
from routing.packs.pack import Pack
from routing.router import Router, router_shipped
from routing.understanding.opinion_prompts import NONE, messages_of
from routing.understanding.opinions import NO_SENSE, OPERATION, TOO_LATE, Opinion, failed, keys_offered, opinion_read

_log = structlog.get_logger(__name__)

AGENT: Final = "router"
MOST_TOKENS: Final = 40
"""Of an answer, which is one word in JSON."""
_MADE: Final = (Hold.State.DISPATCHED, Hold.State.SETTLED)

DEGRADED: Final = "No model was asked: models are slow at the moment."
NO_BUDGET: Final = "No model was asked: the budget does not allow it."
UNAVAILABLE: Final = "No model was asked: none can be asked now."
IN_VAIN: Final = "A model was asked in vain: no usable answer came."


def router_for(user: User, correlation_id: uuid.UUID) -> Router:
    """The router of the settings for a user, whose daily budget pays for a model. Calls are in the chain of the
    correlation id, which plan and audit entry have too. No transaction may be open when it routes.
    """
    if not (settings.QUERY_PLAN_ASKS_MODEL and is_configured(Tier.CHEAP)):
        return router_shipped()
    payer = Payer.of(user, chain=f"query:{correlation_id}", agent=AGENT, subject="domain")
    return Router(opinion=partial(_opinion, payer))


def _opinion(payer: Payer, text: str, pack: Pack) -> Opinion:
    """The opinion of the cheap tier; any failure is a warning."""
    try:
        if not degradation_allows("planning", user_id=payer.user_id):
            return Opinion(warnings=(DEGRADED,))
        answer = _answer(payer, text, pack)
    except Exception as error:
        return Opinion(warnings=(_warning(error, payer),))
    return opinion_read(answer.value.model_dump_json(), pack, model=answer.model)


def _answer(payer: Payer, text: str, pack: Pack) -> Structured[BaseModel]:
    keys = keys_offered(pack)
    with operation_run(OPERATION.name, user_id=payer.user_id):
        model = Model(Tier.CHEAP, payer=payer, operation=OPERATION.name, max_tokens=MOST_TOKENS)
        return model.structured(messages_of(text, pack, keys), _answer_form((*keys, NONE)))


@cache
def _answer_form(keys: tuple[str, ...]) -> type[BaseModel]:
    """The form of an answer. Providers that follow a schema can only answer with one of the keys; of others any text is
    read, and other texts are no opinion.
    """
    form: type[BaseModel] = create_model("Domain", domain=(str, Field(json_schema_extra={"enum": list(keys)})))
    return form


def _warning(error: Exception, payer: Payer) -> str:
    match error:
        case MetacognitionTimeoutError():
            return TOO_LATE
        case SchemaNotMet():
            return NO_SENSE
        case MetacognitionCostExceeded():  # of a try after one that was charged, too
            return IN_VAIN if _was_asked(payer) else NO_BUDGET
        case ProviderFailed():
            return IN_VAIN
        case ModelUnavailable():
            return IN_VAIN if _was_asked(payer) else UNAVAILABLE
    _log.error("asking a model for an opinion failed", exc_info=error)
    return failed(error)


def _was_asked(payer: Payer) -> bool:
    """Whether a request was made, by the ledger."""
    try:
        return Hold.objects.filter(chain=payer.chain, operation=OPERATION.name, state__in=_MADE).exists()
    except Exception:
        _log.exception("what became of a call could not be read", chain=payer.chain)
        return False
