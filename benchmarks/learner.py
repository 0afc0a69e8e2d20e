"""A learner who walks the demo lesson by its pages alone: what to send next, read from the forms of the last answer."""

import json
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from config.launcher import places

_ANSWERS = json.loads((places.PROJECT / "tests" / "data" / "fotosintesis_answers.json").read_text())
_LESSON = json.loads(Path(places.DEMO_LESSON).read_text())
_WRITTEN = {
    step["code"]
    for moment in _LESSON["moments"]
    for step in moment["steps"]
    if step["type"] == "ASK" and step["answer"]["kind"] in ("open", "definition")
}
_SHARE_RIGHT = 0.6
# No two people write the same, and the embedder remembers what it has read: without these it would soon be idle.
_OPENERS = (
    "",
    "Pues ",
    "Creo que ",
    "Yo diría que ",
    "Me parece que ",
    "A ver: ",
    "Diría que ",
    "Según yo, ",
    "Mira, ",
)
_CLOSERS = ("", ", creo", ", o eso creo", ", me parece", ", vaya", ", ¿no?", ", digo yo", ", supongo", ", eso es todo")
_ADVERBS = ("", " la verdad", " en el fondo", " en general", " normalmente", " si no recuerdo mal", " más o menos")
_NAMES = ("", " profe", " amigo", " compañera", " maestra", " tutor", " andamio", " colega", " querida máquina")

_START = f"/lessons/{_LESSON['meta']['slug']}/"
_FORM = re.compile(r'<form[^>]* id="answer-form" action="([^"]+)".*?data-draft="([^"]+)"(.*?)</form>', re.DOTALL)
_CONTINUE = re.compile(r'<form action="([^"]+/continue/)"(.*?)</form>', re.DOTALL)
_OWN_WORD = re.compile(r'<form id="own-word" action="([^"]+)"(.*?)</form>', re.DOTALL)
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
_START_FORM = re.compile(r'<form action="([^"]+/start/)"(.*?)</form>', re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One request. `kind` is answer, continue, or page for what is no turn; `body` is None for a GET."""

    kind: str
    path: str
    body: str | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Learner:
    """Knows nothing but the last response."""

    _home = _START
    """The page of the lesson that is walked."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._page = ""
        self._location = self._home

    @property
    def finished(self) -> bool:
        """Whether the page says that the lesson is over."""
        return 'id="lesson-complete"' in self._page

    @property
    def ready(self) -> bool:
        """Whether the next step is a turn."""
        return not self._location and not self.finished and 'id="start"' not in self._page

    def see(self, status: int, location: str, body: str) -> None:
        """Take the response in. Raises `RuntimeError` for anything but a page or a way to one."""
        if status not in (200, 302):
            raise RuntimeError(f"the server answered {status}: {body[:200]}")
        self._location, self._page = location, body

    def next_step(self) -> Step:
        """What this learner does now; somebody who is done starts the lesson again."""
        if self._location:
            return Step("page", self._location)
        if self.finished:
            return Step("page", self._home)
        if form := _FORM.search(self._page):
            action, code, inside = form.groups()
            return post("answer", action, inside, [("answer", value) for value in self._answer(code)])
        if form := _CONTINUE.search(self._page):
            return post("continue", form[1], form[2])
        if form := _OWN_WORD.search(self._page):
            return post("continue", form[1], form[2], [("said", "yes")])
        if form := _START_FORM.search(self._page):
            return post("page", form[1], form[2])
        raise RuntimeError(f"no way on from this page: {self._page[:500]}")

    def _answer(self, code: str) -> list[str]:
        known, pick = _ANSWERS[code], self._random.choice
        kind = "right" if self._random.random() < _SHARE_RIGHT else pick([k for k in ("partial", "wrong") if known[k]])
        chosen = pick(known[kind])
        if isinstance(chosen, list):
            return chosen
        if code not in _WRITTEN:
            return [chosen]
        return [worded(chosen, self._random)]


def worded(answer: str, random: Random) -> str:
    """The answer as one of many people would write it."""
    pick = random.choice
    return f"{pick(_OPENERS)}{answer}{pick(_ADVERBS)}{pick(_CLOSERS)}{pick(_NAMES)}"


def post(kind: str, action: str, inside: str, fields: list[tuple[str, str]] | None = None) -> Step:
    """The form whose hidden fields are in `inside`, with these beside them."""
    hidden = [(name, unescape(value)) for name, value in _HIDDEN.findall(inside)]
    headers = (("HX-Request", "true"),) if kind != "page" else ()
    return Step(kind, action, urlencode([*hidden, *(fields or [])]), headers)
