"""The gateway's pages of the administration, as tests open them."""

import html
import re
from typing import Any

from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from accounts.services import guest_create

HOSTILE = """<script>alert(1)</script> "><img src=x onerror=alert(1)> {{ 7|add:7 }} %(cost)s 'x'"""


def listed(desk: Client, model: str, **query: str) -> list[Any]:
    """The rows of a list."""
    response = desk.get(reverse(f"admin:gateway_{model}_changelist"), query)
    assert response.status_code == 200, (model, query)
    return list(response.context["cl"].result_list)


def change_url(model: str, pk: object) -> str:
    return reverse(f"admin:gateway_{model}_change", args=[pk])


def text_of(response: HttpResponseBase) -> str:
    """What a reader sees, in one line."""
    assert response.status_code in (200, 422)
    source = getattr(response, "content", b"").decode()
    without = re.sub(r"<(script|style)\b.*?</\1>", " ", source, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", without)).split())


def messages_of(response: HttpResponseBase) -> list[str]:
    return [str(message) for message in getattr(response, "context", {})["messages"]]


def assert_escaped(response: HttpResponseBase, hostile: str = HOSTILE) -> None:
    """The words are there, and nothing of them acts."""
    source = getattr(response, "content", b"").decode()
    assert hostile in html.unescape(source)
    assert "<script>alert" not in source
    assert "<img src=x" not in source


def outsiders(learner: User) -> list[User | None]:
    """Everybody who has no business here."""
    integrator = User.objects.create_user("ines", password="x", role=Role.INTEGRATOR)
    away = User.objects.create_user("olga", password="x", role=Role.STAFF, is_staff=True, is_active=False)
    return [None, learner, guest_create(), integrator, away]


def assert_closed(client: Client, learner: User, urls: list[str]) -> None:
    """Nobody but staff gets to see or do anything at these addresses."""
    for user in outsiders(learner):
        client.logout()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for url in urls:
            for response in (client.get(url), client.post(url, {"reason": "x", "limit": "1", "cost": "1"})):
                assert response.status_code in (302, 403), (user, url)
                assert b"Set the limit" not in response.content
