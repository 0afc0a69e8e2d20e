"""The page that teaches writing lessons: all its JSON is one valid lesson, and its answers are graded as it says."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from gateway.services import texts_embed_locally
from lesson_engine.contracts import Lesson, Reply, Verdict
from lesson_engine.grading import grade
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.player.outline import Outline
from tests.each import each

PAGE = (Path(settings.BASE_DIR) / "docs" / "author.md").read_text()
_BLOCK = re.compile(r"```(json|answers)\n(.*?)```", re.DOTALL)


def blocks() -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in _BLOCK.findall(PAGE)]


def put_in(lesson: dict[str, Any], part: dict[str, Any]) -> None:
    """Add a block of the page where the page says it belongs: a step to the moment, the rest to the file."""
    if "type" not in part:
        for name, value in part.items():
            lesson[name] = {**lesson.get(name, {}), **value}
        return
    steps: list[dict[str, Any]] = lesson["moments"][-1]["steps"]
    same = [at for at, step in enumerate(steps) if "code" in part and step.get("code") == part["code"]]
    if same:
        steps[same[0]] = part
    else:
        steps.append(part)


def assembled() -> dict[str, Any]:
    first, *others = [json.loads(text) for kind, text in blocks() if kind == "json"]
    lesson: dict[str, Any] = first
    for part in others:
        put_in(lesson, part)
    return lesson


def whole() -> Lesson:
    return lesson_read(json.dumps(assembled()).encode())


def test_the_first_block_is_a_lesson_of_its_own() -> None:
    first = next(text for kind, text in blocks() if kind == "json")
    assert len(Outline(lesson_read(first.encode())).places) == 2


def test_all_blocks_together_are_a_lesson_with_every_kind_of_answer() -> None:
    outline = Outline(whole())
    kinds = {outline.ask(code).answer.kind for code in outline.asks}
    assert kinds == {"open", "definition", "list", "procedure", "numeric", "choice", "multi_choice"}
    assert len(outline.places) == len([kind for kind, _ in blocks() if kind == "json"]) + 1 - 2  # two are not new steps


def stated() -> Iterator[tuple[str, str, str]]:
    """Code of the question, what the page says of the answer, and the answer."""
    code = ""
    for kind, text in blocks():
        if kind == "json":
            code = json.loads(text).get("code", code)
            continue
        for line in text.strip().splitlines():
            outcome, answer = line.split(": ", 1)
            yield code, outcome, answer


def outcome_of(verdict: Verdict) -> str:
    if verdict.doubtful:
        return "not sure"
    if verdict.misconception:
        return f"misconception {verdict.misconception}"
    if verdict.no_attempt:
        return "no attempt"
    return {"ACCEPT": "right", "PARTIAL": "partly", "REJECT": "wrong", "NOT_GRADABLE": "no answer"}[
        verdict.result.value
    ]


@each(("code", "outcome", "answer"), list(stated()))
def test_an_answer_is_graded_as_the_page_says(code: str, outcome: str, answer: str) -> None:
    ask = Outline(whole()).ask(code)
    verdict = grade(ask, Reply(text=answer), language="en", embed=texts_embed_locally)
    assert outcome_of(verdict) in outcome.split(" or ")


def test_each_written_kind_has_graded_answers() -> None:
    shown = {code for code, _, _ in stated()}
    asks = Outline(whole()).asks
    written = {code for code in asks if Outline(whole()).ask(code).answer.kind not in ("choice", "multi_choice")}
    assert written <= shown


def test_what_the_page_calls_things_is_what_the_pages_call_them() -> None:
    templates = Path(settings.BASE_DIR) / "templates" / "admin" / "lesson_engine"
    texts = "".join(path.read_text() for path in templates.rglob("*.html"))
    for name in (
        "Upload a lesson",
        "Only check",
        "Store as a draft",
        "Play as a learner",
        "How it would fare",
        "How answers fared",
    ):
        assert name in PAGE
        assert name in texts
