"""A guest at a browser without scripts who answers the doubtful question, over real HTTP."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from random import Random

import httpx

from benchmarks.doubt import Doubtful
from benchmarks.learner import Step
from tests.browser.server import until
from tests.faults.proxy import Fault
from tests.faults.site import QUESTION, Site

PATIENCE = 30.0
MOST_FAILURES = 1
"""Answers of a web process after PostgreSQL is there again, for what it learns only by asking."""
FEWEST_STATEMENTS = 30
"""Of a turn that asks a model."""
ANSWERS = """
SELECT count(*) FROM lesson_engine_turn WHERE session_id = %s::uuid AND kind = 'answer' AND state = 'done'
"""
_numbers = count()


class Learner:
    """One guest in one session. An answer is a `Step` that can be sent again as it is, as a browser does."""

    def __init__(self, site: Site, mode: str = "adaptive", url: str = "") -> None:
        """`url` is that of another server of the same database."""
        self.site = site
        self._learner = Doubtful(Random(1), QUESTION.slug, mode, [])
        self._browser = httpx.Client(base_url=url or site.url, timeout=PATIENCE, headers={"Accept-Language": "es"})
        self._threads = ThreadPoolExecutor(1)
        self.page, self.sent = "", 0
        self.look_on()

    @property
    def session(self) -> str:
        return self.page.rstrip("/").split("/")[-1]

    def look_on(self) -> Step:
        """Go on until the page awaits an answer, in a new session where one is over; return that answer."""
        self._learner._texts = [self._text()]
        while (step := self._learner.next_step()).kind != "answer" or not self._learner.ready:
            response = self.send(step)
            if (place := response.headers.get("location", self.page)) != self.page:
                self.page, self.sent = place, 0
            self._see(response)
        return step

    def go_to(self, url: str) -> None:
        """From now on another server of the same database is asked."""
        self._browser.base_url = url

    def come_back(self) -> None:
        """To a server that may have forgotten the last answers, and may have one that is still to be judged."""
        begun = "SELECT count(*) FROM lesson_engine_turn WHERE session_id = %s::uuid AND kind = 'answer'"
        self.sent = self.site.rows(begun, self.session)[0][0]

    def write(self) -> Step:
        """A new answer in the form that the page shows."""
        step = self.look_on()
        self.sent += 1
        return step

    def send(self, step: Step) -> httpx.Response:
        if step.body is None:
            return self._browser.get(step.path)
        return self._browser.post(step.path, content=step.body, headers=_headers(step))

    def request(self, step: Step) -> bytes:
        """The bytes of an answer, for a socket of the test's own."""
        request = self._browser.build_request("POST", step.path, content=step.body, headers=_headers(step))
        lines = [f"POST {step.path} HTTP/1.1", *(f"{name}: {value}" for name, value in request.headers.items()), "", ""]
        return "\r\n".join(lines).encode() + request.content

    def sending(self, step: Step) -> "Future[httpx.Response]":
        """The same meanwhile."""
        return self._threads.submit(self.send, step)

    def send_again(self, step: Step) -> None:
        """What failed is sent again until it is answered: connections that are dead are each found out by a request."""
        for _ in range(MOST_FAILURES):
            response = self.send(step)
            if response.status_code == 200:
                return
            assert response.status_code in (500, 503), response.text[:500]
        raise AssertionError(f"it failed {MOST_FAILURES} times more")

    def look(self) -> None:
        """The page of the session answers, and shows where the lesson stands."""
        response = self._browser.get(self.page)
        assert response.status_code == 200, response.text[:500]
        self._see(response)

    def answer(self) -> None:
        """Answer, and be answered."""
        response = self.send(self.write())
        assert response.status_code == 200, response.text[:500]
        self._see(response)

    def assert_counted(self) -> None:
        """Each of the answers counts once, the page shows the next step, and the next answer is taken."""
        self.look()
        self.answer()
        counted = self.site.rows(ANSWERS, self.session)[0][0]
        assert counted == self.sent, f"{counted} answers count of the {self.sent} that were sent"

    def _see(self, response: httpx.Response) -> None:
        self._learner.see(response.status_code, response.headers.get("location", ""), response.text)

    def _text(self) -> str:
        """Always another, so that nothing is remembered."""
        return f"{QUESTION.said} {'muy ' * (next(_numbers) % 3)}".strip()


def _headers(step: Step) -> dict[str, str]:
    return {"Content-Type": "application/x-www-form-urlencoded", **dict(step.headers)}


def failing_turns(site: Site, learner: Learner, fault: Fault) -> Iterator[tuple[Step, "Future[httpx.Response]"]]:
    """An answer for each statement that a turn sends to PostgreSQL, with the fault in force at that statement.

    Ends with the first answer that had no fault any more.
    """
    for number in count(1):
        step = learner.write()
        site.proxy.arm(number, fault)
        sending = learner.sending(step)
        until(lambda: site.proxy.reached.is_set() or sending.done(), "a statement or an answer", PATIENCE)  # noqa: B023
        if not site.proxy.reached.is_set():
            assert number > FEWEST_STATEMENTS
            assert sending.result().status_code == 200
            return
        yield step, sending
