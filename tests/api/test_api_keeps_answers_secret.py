"""No response tells what a question expects before the question is closed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from accounts.models import User
from lesson_engine.contracts import Ask
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.player.outline import Outline
from lesson_engine.services.lessons import lesson_import
from tests.api.sessions import Answer, Json, Program, Walk
from tests.conftest import ask, lesson_data

Secrets = dict[str, tuple[str, ...]]
LESSONS = sorted((settings.BASE_DIR / "lesson_engine" / "lessons").glob("*.json"))
KINDS: list[Json] = [
    {"kind": "open", "accepted": ["secretopen one"], "keyword_groups": [["secretopen two"]]},
    {"kind": "definition", "term": "light", "accepted": ["secretdefinition"]},
    {"kind": "list", "items": [["secretlist one"], ["secretlist two", "secretlist three"]], "required": 1},
    {"kind": "procedure", "steps": [["secretprocedure one"], ["secretprocedure two"]]},
    {"kind": "numeric", "value": 918273645, "tolerance": 564738},
]
TELL_TALES = {"correct", "accepted", "keyword_groups", "misconceptions", "examples", "tolerance", "details", "answer"}


WRONG = "No creo que sea eso"


def walks() -> list[Any]:
    modes = ("deterministic", "adaptive")
    return [pytest.param(path, mode, id=f"{path.stem}-{mode}") for path in LESSONS for mode in modes]


class Spy(Program):
    """A program that looks through every response for what must not be there yet."""

    def __init__(self, user: User, secrets: Secrets, **more: Any) -> None:
        super().__init__(user, **more)
        self.secrets, self.looked = secrets, 0

    def get(self, path: str, **headers: str) -> Answer:
        return self._looked_at(super().get(path, **headers))

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return self._looked_at(super().post(path, body, **headers))

    def _looked_at(self, answer: Answer) -> Answer:
        last = answer.json.get("last_turn")
        if last and last["outcome"] != "open":
            self.secrets.pop(last["question"], None)
        if answer.json.get("phase") == "comparing":  # the answer is told, to be compared
            self.secrets.pop(answer.json["question"]["code"], None)
        if answer.json.get("phase") == "finished":
            self.secrets.clear()
        said = json.dumps(answer.json, ensure_ascii=False).casefold()
        for code, secrets in self.secrets.items():
            found = [secret for secret in secrets if secret.casefold() in said]
            assert not found, f"{code} is open, and {answer.json.get('phase')} tells {found}"
        assert not TELL_TALES & set(_names(answer.json))
        self.looked += 1
        return answer


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _names(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def explore(walk: Walk) -> None:
    """Everything that may be done at a question, each looked at, and then a wrong answer.

    Every answer to an action is the session as `look` shows it, so that it is asked for where the question is new; the
    turns, where there is one of this question.
    """
    last = walk.now["last_turn"]
    if last and last["question"] == walk.now["question"]["code"]:
        walk.program.get(f"{walk.path}turns/")
    else:
        walk.look()
        walk.send("answers", version=0, text="too late")
    if "hint" in walk.now["actions"]:
        walk.act("hint")
    choices = walk.now["question"]["choices"]
    walk.act("answers", **({"choices": [choices[-1]["code"]]} if choices else {"text": WRONG}))


@pytest.mark.parametrize("mode", ["deterministic", "adaptive"])
def test_answers_of_every_kind_stay_secret_until_the_question_is_closed(learner: User, mode: str) -> None:
    steps = [ask(f"ASK_{n:03}", answer=answer, hints=["Think."]) for n, answer in enumerate(KINDS)]
    for step in steps:
        if step["answer"]["kind"] in ("open", "definition"):
            step["misconceptions"] = [{"code": "no", "examples": [WRONG], "feedback": "No."}]
    steps[0]["misconceptions"] += [{"code": "m", "examples": ["secretmisconception"], "feedback": "No."}]
    lesson_import(source=json.dumps(lesson_data(*steps)).encode())
    secrets: Secrets = {f"ASK_{n:03}": (f"secret{answer['kind']}",) for n, answer in enumerate(KINDS)}
    secrets["ASK_000"] += ("secretmisconception",)
    secrets["ASK_004"] += ("918273645", "564738")
    spy = Spy(learner, secrets)
    spy.get("lessons/")
    spy.get("lessons/light/")
    end = spy.start("light", mode=mode).to_the_end(explore)
    told = [item["expected"]["markdown"] for item in end["results"]["review"]]
    assert told[0] == "secretopen one"
    assert len(told) == len(KINDS)
    assert spy.looked > 6 * len(KINDS)


@pytest.mark.hard
@pytest.mark.parametrize(("path", "mode"), walks())
def test_the_lessons_that_come_along_keep_their_answers(learner: User, path: Any, mode: str) -> None:
    source = path.read_bytes()
    slug = lesson_import(source=source).version.lesson.slug
    outline = Outline(lesson_read(source))
    secrets = {code: tuple(_sentences(outline.ask(code), _said_anyway(outline, code))) for code in outline.asks}
    assert sum(map(len, secrets.values())) > len(secrets)
    spy = Spy(learner, secrets)
    spy.get(f"lessons/{slug}/")
    spy.start(slug, mode=mode).to_the_end(explore)
    assert spy.looked > 3 * len(outline.asks)


def _said_anyway(outline: Outline, code: str) -> str:
    """What the author says besides the answers of this question, whose words are no secret of its own."""
    lesson = outline.lesson.model_dump(mode="json")
    for step in (step for moment in lesson["moments"] for step in moment["steps"]):
        if step.get("code") == code:
            step.pop("answer")
            for wrong in step["misconceptions"]:
                wrong.pop("examples")
    return json.dumps(lesson, ensure_ascii=False).casefold()


def _sentences(question: Ask, said_anyway: str) -> Iterator[str]:
    """Accepted answers long enough to be told by them, and the wrong ones that the author foresaw."""
    answer = question.answer
    accepted = [*answer.accepted] if answer.kind in ("open", "definition") else []
    if answer.kind == "list":
        accepted += [text for item in answer.items for text in item]
    if answer.kind == "procedure":
        accepted += [text for step in answer.steps for text in step]
    accepted += [text for wrong in question.misconceptions for text in wrong.examples]
    for text in accepted:
        if len(text) > 20 and text.casefold() not in said_anyway:
            yield text
