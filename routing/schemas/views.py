"""The pages of the JSON Schemas of the consult's contracts."""

import hashlib
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag, require_safe

from routing.schemas.files import SCHEMAS, schema_published


def _etag(_request: HttpRequest, **where: Any) -> str | None:
    name = _name(**where)
    return f'"{hashlib.sha256(schema_published(name)).hexdigest()[:32]}"' if name in SCHEMAS else None


@require_safe
@cache_control(public=True, max_age=86_400)
@etag(_etag)
def schema(_request: HttpRequest, *, contract: str, version: int) -> HttpResponse:
    """A published schema, as it is frozen."""
    name = _name(contract, version)
    if name not in SCHEMAS:
        raise Http404
    return HttpResponse(schema_published(name), content_type="application/schema+json")


def _name(contract: str, version: int) -> str:
    return f"{contract}/{version}"
