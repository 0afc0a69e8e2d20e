"""The router that serves somebody: with a model where the settings allow one and their budget pays for it."""

import uuid
from functools import cache, partial
from typing import Final

import structlog
from django.conf import settings
from pydantic import BaseModel, Field, create_model

from accounts.models import User
from gateway.contracts import Payer, Tier
from gateway.deadlines import operation_run
from gateway.degradation import degradation_allows
from gateway.door import Model, Structured
from gateway.errors import (
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
    ModelUnavailable,
    ProviderFailed,
    SchemaNotMet,
)
from gateway.models import Hold
from gateway.tiers import is_configured
from routing.opinion_prompts import NONE, messages_of
from routing.opinions import NO_SENSE, OPERATION, TOO_LATE, Opinion, failed, keys_offered, opinion_said
from routing.pack import Pack
from routing.router import Router, router_shipped

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
    """The router of the settings for this person, whose day pays where a model is asked. Calls are in the chain of the
    correlation id, which plan and audit entry have too. No transaction may be open when it routes.
    """
    if not (settings.QUERY_PLAN_ASKS_MODEL and is_configured(Tier.CHEAP)):
        return router_shipped()
    payer = Payer(
        chain=f"query:{correlation_id}", user_id=user.pk, is_guest=user.is_guest, agent=AGENT, subject="domain"
    )
    return Router(opinion=partial(_opinion, payer))


def _opinion(payer: Payer, message: str, pack: Pack) -> Opinion:
    """What the cheap tier says; whatever goes wrong is a warning, and the plan is made without it."""
    try:
        if not degradation_allows("planning"):
            return Opinion(warnings=(DEGRADED,))
        said = _asked(payer, message, pack)
    except Exception as error:
        return Opinion(warnings=(_warning(error, payer),))
    return opinion_said(said.value.model_dump_json(), pack, model=said.model)


def _asked(payer: Payer, message: str, pack: Pack) -> Structured[BaseModel]:
    keys = keys_offered(pack)
    with operation_run(OPERATION.name):
        model = Model(Tier.CHEAP, payer=payer, operation=OPERATION.name, max_tokens=MOST_TOKENS)
        return model.structured(messages_of(message, pack, keys), _answer((*keys, NONE)))


@cache
def _answer(keys: tuple[str, ...]) -> type[BaseModel]:
    """The form of an answer. Providers that hold answers to a schema can say one of the keys only; of others any text
    is read, and what is no key is no opinion.
    """
    found: type[BaseModel] = create_model("Domain", domain=(str, Field(json_schema_extra={"enum": list(keys)})))
    return found


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
    """Whether a request was made, as the ledger has it."""
    try:
        return Hold.objects.filter(chain=payer.chain, operation=OPERATION.name, state__in=_MADE).exists()
    except Exception:
        _log.exception("what became of a call could not be read", chain=payer.chain)
        return False
