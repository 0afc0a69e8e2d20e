"""No log of PostgreSQL, web, worker and beat holds a word, a password or a token, after all of the corpus was sent."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psycopg
import pytest
from django.conf import settings

from benchmarks.learner import Learner
from tests.browser.server import CELERY, WORKER, Server, until
from tests.database import superuser, with_role
from tests.hostile.corpus import TEXTS, bombs
from tests.lesson_engine.learn.pages import Page, fields_of

pytestmark = pytest.mark.hard
MARK = "zanahoria7391"
"""Nothing else says it."""
TOKENS = """
from accounts.models import Role, User
from accounts.services import token_issue
from accounts.sign_in.scopes import scopes_of
for name, role in (("inge", Role.INTEGRATOR), ("lena", Role.LEARNER)):
    user = User.objects.create_user(name, role=role)
    print(token_issue(user=user, name=name, scopes=scopes_of(user), days=1)[1])
"""
PLENTY = dict.fromkeys(("API_RATE_USER", "API_RATE_TOKEN", "API_RATE_ADDRESS", "LOGIN_ATTEMPTS"), "1000000")
FAULT = "ALTER TABLE lesson_engine_learnertext ADD CONSTRAINT fault_of_ours CHECK (text NOT LIKE '%%a fault of ours%%')"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name, value in {**PLENTY, "LOG_LEVEL": "INFO"}.items():
        monkeypatch.setenv(name, value)
    server = Server(settings.DATABASE_URL, "logs", Path(settings.VAR_DIR) / "browser")
    try:
        server.prepare()
        server.start()
        with server.background(*WORKER), server.background(*CELERY, "beat", "--pidfile", ""):
            yield server
    finally:
        server.kill()
        server.drop()


def at_once(send: Any, count: int = 10) -> list[int]:
    with ThreadPoolExecutor(count) as pool:
        return [answer.status_code for answer in pool.map(lambda _: send(), range(count))]


class Doors:
    """Every way in for text, each of which gets the same one."""

    def __init__(self, url: str, tokens: list[str]) -> None:
        self.url = url
        self.programs = [
            httpx.Client(base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {token}"}, timeout=60)
            for token in tokens
        ]

    def post(self, path: str, body: object, key: str = "", program: int = 1) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.programs[program].post(
            path, content=json.dumps(body), headers={"Content-Type": "application/json", **headers}
        )

    def programs_say(self, name: str, text: str) -> None:
        """Programs: pseudonyms, answers, questions, plans, results, preferences, wrong tokens."""
        key = f"{name}-{MARK}"
        session = self.post("sessions/", {"lesson": "fotosintesis", "learner": text[:120]}, program=0)
        if session.status_code == 201:
            path = f"sessions/{session.json()['id']}/"
            self.answer(path, text)
        self.post("query-plans/", {"message": text}, key)
        plan = self.post("plans/", {"task": text, "success_criteria": [text[:400], "quality >= 7"]}, key)
        if plan.status_code == 201:
            result = {"quality": 3, "note": text, text[:50]: text}
            self.post(f"plans/{plan.json()['id']}/evaluations/", {"execution_result": result}, key)
        self.post("preferences/", {"text": text[:500]}, key)
        self.programs[1].get("sessions/", params={"cursor": text, "learner": text})
        wrong = {"Authorization": f"Bearer andamio_{MARK}{name}"}
        httpx.get(f"{self.url}/api/v1/sessions/", headers=wrong, timeout=60)

    def answer(self, path: str, text: str) -> httpx.Response:
        """Go on to the first question and answer it."""
        version = 0
        while self.post(f"{path}continue/", {"version": version}, program=0).is_success:
            version += 1
        return self.post(f"{path}answers/", {"version": version, "text": text}, program=0)

    def pages_say(self, text: str) -> None:
        """Pages: signing in and up, with words as names and as passwords."""
        with httpx.Client(base_url=self.url, follow_redirects=True, timeout=60) as browser:
            for address, names in (
                ("/account/sign-in/", ("password",)),
                ("/account/sign-up/", ("password1", "password2")),
            ):
                form = {**form_of(browser, address), "username": text[:150], "next": text}
                browser.post(address, data={**form, **dict.fromkeys(names, text)})
            browser.get("/", params={"q": text, "next": text})

    def lesson_says(self, text: str) -> None:
        """A guest's pages, up to the first answer."""
        guest = Says(Random(1), text)
        with httpx.Client(base_url=self.url, timeout=60, headers={"Accept-Language": "es"}) as browser:
            while not guest.has_answered:
                step = guest.next_step()
                headers = {**dict(step.headers), "Content-Type": "application/x-www-form-urlencoded"}
                method = "GET" if step.body is None else "POST"
                answer = browser.request(method, step.path, content=step.body, headers=headers)
                guest.see(answer.status_code, answer.headers.get("location", ""), answer.text)

    def bombs_say(self, bomb: bytes) -> None:
        """A body that is no JSON of ours, with the mark in front."""
        for path in ("sessions/", "plans/", "query-plans/"):
            self.programs[1].post(path, content=MARK.encode() + bomb, headers={"Content-Type": "application/json"})


class Says(Learner):
    """Answers each question with the same words."""

    def __init__(self, random: Random, text: str) -> None:
        super().__init__(random)
        self._text, self.has_answered = text, False

    def _answer(self, code: str) -> list[str]:
        self.has_answered = True
        return [self._text]


def form_of(browser: httpx.Client, address: str) -> dict[str, str]:
    forms = Page(browser.get(address)).tree.find("form", method="post")
    form = next(form for form in forms if form.find("input", name="username"))
    (token,) = form.find("input", name="csrfmiddlewaretoken")
    return {**fields_of(form), "csrfmiddlewaretoken": token.attrs["value"]}


def sign_ups(url: str) -> list[int]:
    """Ten at once with one name."""
    browsers = [httpx.Client(base_url=url, timeout=60) for _ in range(10)]
    forms = [form_of(browser, "/account/sign-up/") for browser in browsers]
    secret = f"{MARK} horse battery"
    for form in forms:
        form |= {"username": f"ana-{MARK}", "password1": secret, "password2": secret}
    with ThreadPoolExecutor(10) as pool:
        sent = pool.map(lambda pair: pair[0].post("/account/sign-up/", data=pair[1]), zip(browsers, forms, strict=True))
        return [answer.status_code for answer in sent]


def secrets(server: Server) -> list[str]:
    """What the database keeps that is no word: password hashes and their salts, keys of browsers' sessions."""
    with psycopg.connect(server.database_url) as connection:
        hashes = [row[0] for row in connection.execute("SELECT password FROM accounts_user WHERE password LIKE '%$%'")]
        keys = [row[0] for row in connection.execute("SELECT session_key FROM django_session")]
    assert hashes
    assert keys
    return [*(part for hash_ in hashes for part in hash_.split("$")[2:]), *keys]


def lines_with(server: Server, *texts: str) -> list[str]:
    """Of all logs, rotated ones too."""
    folder = Path(settings.VAR_DIR) / "postgres"
    logs = [path for place in (server.log, folder / "log") for path in place.parent.glob(f"{place.name}*")]
    assert server.log in logs
    lines = (line for log in logs if log.is_file() for line in log.read_text(errors="replace").splitlines())
    return [line[:400] for line in lines if any(text in line for text in texts)]


def test_no_log_holds_what_was_sent_through_any_door(server: Server) -> None:
    tokens = server.python(TOKENS).split()
    doors = Doors(server.url, tokens)
    for name, text in TEXTS.items():
        doors.programs_say(name, f"{MARK} {text}")
        doors.pages_say(f"{MARK} {text}".replace("\0", ""))
        doors.lesson_says(f"{MARK} {text}")
    for bomb in bombs().values():
        doors.bombs_say(bomb)
    assert sorted(set(sign_ups(server.url))) == [302, 422]
    statuses = [
        at_once(lambda: doors.post("query-plans/", {"message": f"{MARK} de nuevo"}, "one-key")),
        at_once(
            lambda: doors.post("plans/", {"task": f"Book {MARK}", "success_criteria": ["quality >= 7"]}, "two-keys")
        ),
        at_once(lambda: doors.post("sessions/", {"lesson": "fotosintesis", "learner": f"{MARK}x"}, program=0)),
        at_once(lambda: doors.post("query-plans/", {"message": f"{MARK} sin llave"})),
    ]
    assert all(status < 500 for several in statuses for status in several)

    with psycopg.connect(with_role(server.database_url, superuser())) as owner:
        owner.execute(FAULT.encode())
    session = doors.post("sessions/", {"lesson": "fotosintesis", "learner": "last"}, program=0).json()
    path = f"sessions/{session['id']}/"
    assert doors.answer(path, f"{MARK} is a fault of ours").status_code == 500
    until(lambda: "fault_of_ours" in server.log.read_text(), "the fault is in the log")
    assert lines_with(server, "fault_of_ours")
    assert lines_with(server, MARK, *tokens, *secrets(server)) == []
