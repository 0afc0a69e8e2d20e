"""`Idempotency-Key`: a request that is sent twice is done once, and both get the same answer.

The claim and the answer are short transactions of their own; none is open while the view works. A process that dies
leaves a lease that runs out; then the same request may run again, and what it calls is idempotent by the same key.
"""

import hashlib
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request
from rest_framework.response import Response

from core.errors import AndamioError
from core.models import IdempotentRequest

LEASE = timedelta(seconds=60)
"""Longer than any request takes that goes well."""
KEPT = timedelta(hours=24)
_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_HEADERS_KEPT = ("Content-Type", "Content-Language", "Location", "ETag", "Cache-Control")
_ANSWERS_OF_THE_REQUEST_ALONE = (400, 415, 422)
"""Refusals that would come again whatever happens meanwhile; others depend on the state of things or the sender."""
_CLAIM = """
INSERT INTO core_idempotentrequest AS known (owner, key, fingerprint, state, lease_until, takes, created_at)
VALUES (%(owner)s, %(key)s, %(fingerprint)s, 'running', clock_timestamp() + %(lease)s, 1, clock_timestamp())
ON CONFLICT (owner, key) DO UPDATE SET lease_until = excluded.lease_until, takes = known.takes + 1
WHERE known.state = 'running' AND known.lease_until < clock_timestamp() AND known.fingerprint = excluded.fingerprint
RETURNING id, takes
"""


class IdempotencyKeyInvalid(AndamioError):
    code = "idempotency-key-invalid"
    status = 400
    title = _("Invalid idempotency key")
    description = _(
        "An Idempotency-Key is made of 1 to 255 visible ASCII characters, without blanks. A random UUID, made"
        " anew for each action and kept for repeating it, is a good one."
    )


class IdempotencyKeyReused(AndamioError):
    code = "idempotency-key-reused"
    status = 422
    title = _("Idempotency key used for another request")
    description = _(
        "This Idempotency-Key came before with another method, address or body. Make a new key for each new"
        " action; use the old one only to repeat exactly the same request."
    )


class RequestStillRunning(AndamioError):
    code = "request-still-running"
    status = 409
    title = _("The same request is still running")
    description = _(
        "A request with this Idempotency-Key is being worked on. Repeat it after as many seconds as Retry-After"
        " says, and get its answer then."
    )
    retry_after = 1


class Claim(NamedTuple):
    """The right to run a request; it is lost when another process takes the request after the lease."""

    pk: int
    takes: int


Handler = Callable[..., HttpResponse]


def idempotent(handler: Handler) -> Handler:
    """A view's method that runs once for each `Idempotency-Key` of a user; `request.idempotency_key` names it.

    Without the header it runs each time, with a random key. Kept are answers of success and refusals that depend on
    nothing but the request; after any other the key is free again.
    """

    @wraps(handler)
    def run_once(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        key = key_of(request)
        request.idempotency_key = key or uuid.uuid4().hex  # type: ignore[attr-defined]
        if key is None:
            return handler(view, request, *args, **kwargs)
        claim = request_claim(owner=owner_of(request.user.pk), key=key, fingerprint=fingerprint_of(request))
        if isinstance(claim, IdempotentRequest):
            return _replayed(claim)
        try:
            response = _answer(view, handler, request, *args, **kwargs)
        except BaseException:
            request_release(claim=claim)
            raise
        if _is_kept(response):
            request_finish(claim=claim, response=response)
        else:
            request_release(claim=claim)
        return response

    run_once.idempotent = True  # type: ignore[attr-defined]  # for the description of the operation
    return run_once


def owner_of(user_id: int | None) -> str:
    """Whose keys are told apart from everybody else's."""
    return f"user:{user_id}"


def key_of(request: Request) -> str | None:
    """The header's value, None without one. Raises `IdempotencyKeyInvalid`."""
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _KEY.fullmatch(key):
        raise IdempotencyKeyInvalid("Idempotency-Key must be 1 to 255 visible ASCII characters without blanks")
    return key


def fingerprint_of(request: Request) -> str:
    """SHA-256 of method, address and body."""
    head = f"{request.method} {request.get_full_path()}\n".encode()
    return hashlib.sha256(head + request.body).hexdigest()


def request_claim(*, owner: str, key: str, fingerprint: str) -> Claim | IdempotentRequest:
    """The right to run this request, or the finished request with its answer.

    Raises `RequestStillRunning`, or `IdempotencyKeyReused` when the key came with another request.
    """
    values: dict[str, Any] = {"owner": owner, "key": key, "fingerprint": fingerprint, "lease": LEASE}
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_CLAIM, values)
        if row := cursor.fetchone():
            return Claim(*row)
    earlier = IdempotentRequest.objects.filter(owner=owner, key=key).first()
    if earlier is not None and earlier.fingerprint != fingerprint:
        raise IdempotencyKeyReused("this Idempotency-Key came before with another method, address or body")
    if earlier is None or earlier.state != IdempotentRequest.State.DONE:  # None: released or purged this very moment
        raise RequestStillRunning("a request with this Idempotency-Key is being worked on")
    return earlier


def request_finish(*, claim: Claim, response: HttpResponse) -> None:
    """Store the answer; does nothing when another process took the request meanwhile."""
    headers = {name: response.headers[name] for name in _HEADERS_KEPT if name in response.headers}
    with transaction.atomic(durable=True):
        _claimed(claim).update(
            state=IdempotentRequest.State.DONE,
            lease_until=None,
            status=response.status_code,
            headers=headers,
            body=response.content,
        )


def request_release(*, claim: Claim) -> None:
    """Free the key; does nothing when another process took the request meanwhile."""
    with transaction.atomic(durable=True):
        _claimed(claim).delete()


def _claimed(claim: Claim) -> Any:
    return IdempotentRequest.objects.filter(pk=claim.pk, takes=claim.takes, state=IdempotentRequest.State.RUNNING)


def _answer(view: Any, handler: Handler, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
    """What the method answers, refusals too, as the bytes that are sent."""
    try:
        response = handler(view, request, *args, **kwargs)
    except Exception as error:
        response = view.handle_exception(error)  # raises unexpected errors again
    response = view.finalize_response(request, response, *args, **kwargs)
    if isinstance(response, Response) and not response.is_rendered:
        response.render()
    return response


def _is_kept(response: HttpResponse) -> bool:
    status = response.status_code
    return 200 <= status < 300 or status in _ANSWERS_OF_THE_REQUEST_ALONE


def _replayed(earlier: IdempotentRequest) -> HttpResponse:
    response = HttpResponse(bytes(earlier.body or b""), status=earlier.status, headers=earlier.headers)
    response.headers["Idempotent-Replayed"] = "true"
    return response
