"""Addresses that do nothing of their own: each shows one thing that core does for every view of the API."""

import threading
from collections import Counter
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from config import urls
from core.api.base import ApiView, InvalidRequest, Page, PageQuery, operation
from core.api.idempotency import idempotent
from core.contracts import Contract
from core.errors import AndamioError
from core.models import Heartbeat

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500
SECRET = "the answer is chlorophyll"


class Runs(Counter[str]):
    """How often the probe with a name was run, counted by threads at once."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def note(self, name: str) -> int:
        with self._lock:
            self[name] += 1
            return self[name]


class Gate:
    """A probe that waits for the test: `entered` says that it is inside, `open` lets it go on."""

    def __init__(self) -> None:
        self.entered, self.open = threading.Event(), threading.Event()


runs = Runs()
gates: dict[str, Gate] = {}


class ProbeBody(Contract):
    """What a probe is to do."""

    name: str
    outcome: str = "ok"
    note: str = ""
    size: int = 0


class ProbeQuery(Contract):
    """One parameter."""

    size: int | None = None


class Echo(Contract):
    """What a probe did: its key, and the how manieth run it was."""

    name: str
    run: int
    key: str


class Busy(AndamioError):
    """Comes and goes."""

    code = "request-still-running"
    status = 409
    retry_after = 7


class ProbeView(ApiView):
    """Runs once for each key."""

    required_scopes = {"GET": Scope.LESSONS_READ, "POST": Scope.LESSONS_READ, "PATCH": Scope.LESSONS_READ}

    @operation(id="probe_get", summary="Probe", tag="Probe", response=Echo, query=ProbeQuery)
    def get(self, request: Request) -> Response:
        query = self.query(ProbeQuery)
        return self.answer(Echo(name=str(query.size), run=0, key=""))

    @operation(id="probe_post", summary="Probe", tag="Probe", request=ProbeBody, response=Echo, status=201)
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        return self._run(request)

    @operation(id="probe_patch", summary="Probe", tag="Probe", request=ProbeBody, response=Echo)
    @idempotent
    def patch(self, request: Request) -> HttpResponse:
        return self._run(request)

    def _run(self, request: Request) -> HttpResponse:
        body = self.read(ProbeBody)
        run = runs.note(body.name)
        if gate := gates.get(body.name):
            assert not connection.in_atomic_block
            gate.entered.set()
            assert gate.open.wait(30)
        with transaction.atomic():
            Heartbeat.objects.create(name=f"{body.name} {run}", at="2026-01-01T00:00Z")
            _fail(body.outcome)
        echo = Echo(name=body.name, run=run, key=request.idempotency_key)
        return self.answer(echo, status=201, headers={"Location": f"/{body.name}", "X-Run": str(run)})


def _fail(outcome: str) -> None:
    failures: dict[str, Exception] = {
        "invalid": InvalidRequest("This does not fit.", [("/note", "too plain")]),
        "busy": Busy("Busy."),
        "crash": RuntimeError(SECRET),
        "database": OperationalError(SECRET),
        "suspicious": SuspiciousOperation(SECRET),
    }
    if outcome in failures:
        raise failures[outcome]


class ImmutableView(ApiView):
    """Something that never changes."""

    required_scopes = {"GET": Scope.LESSONS_READ}

    @operation(id="probe_immutable", summary="Probe", tag="Probe", response=Echo, conditional=True)
    def get(self, request: Request) -> HttpResponse:
        def make() -> HttpResponse:
            return self.answer(Echo(name="same", run=runs.note("immutable"), key=""))

        return self.conditional('"abc"', make, seconds=3600)


class BeatItem(Contract):
    """A row."""

    name: str


class BeatsView(ApiView):
    """Rows of which many share the value that they are ordered by."""

    required_scopes = {"GET": Scope.LESSONS_READ}

    @operation(id="probe_pages", summary="Probe", tag="Probe", response=Page[BeatItem], query=PageQuery)
    def get(self, request: Request) -> Response:
        return self.page(self.query(PageQuery), Heartbeat.objects.all(), _beat, ordering="-at")


def _beat(row: Heartbeat) -> BeatItem:
    return BeatItem(name=row.name)


urlpatterns: list[Any] = [
    path("api/v1/probe/", ProbeView.as_view()),
    path("api/v1/probe/other/", ProbeView.as_view()),
    path("api/v1/probe/pages/", BeatsView.as_view()),
    path("api/v1/probe/immutable/", ImmutableView.as_view()),
    *urls.urlpatterns,
]
