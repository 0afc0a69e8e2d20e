"""Somebody at the browser: finds things as a person does and waits as a person does, for what is on the page."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.watch import Watch

DEMO_LESSON = Path(__file__).parents[2] / "lesson_engine" / "lessons" / "fotosintesis.json"
Answers = dict[str, dict[str, list[str | list[str]]]]


def known_answers() -> Answers:
    """Answers to the demo lesson of which the grader is sure whatever it makes of others: where learners use words of
    their own, these are the author's. The last wrong ones lead to no detour of their own.
    """
    answers: Answers = json.loads((Path(__file__).parent.parent / "data" / "fotosintesis_answers.json").read_text())
    steps = (step for moment in json.loads(DEMO_LESSON.read_text())["moments"] for step in moment["steps"])
    for step in steps:
        if step.get("answer", {}).get("kind") in ("open", "definition"):
            wrong = sorted(step["misconceptions"], key=lambda wrong: "goto" not in wrong and "micro_step" not in wrong)
            examples = [example for misconception in wrong for example in misconception["examples"]]
            answers[step["code"]] = {"right": step["answer"]["accepted"], "wrong": examples}
    return answers


def in_doubt(code: str, accepted: int = 0) -> str:
    """A right answer and a known wrong idea at once: of this the grader is never sure."""
    right, wrong = ANSWERS[code]["right"][accepted], ANSWERS[code]["wrong"][0]
    return f"{right} {wrong}."


ANSWERS = known_answers()
DONT_KNOW = "no sé"
STANDS_ELSEWHERE = """
before => {
  const player = document.getElementById("player");
  return player && !player.classList.contains("htmx-swapping") && player.dataset.session + "/" +
    (player.querySelector("[name=version]")?.value ?? "end") !== before;
}
"""


class Learner:
    """One page of a browser, walking a lesson."""

    def __init__(self, page: Page, watch: Watch) -> None:
        self.page, self.watch = page, watch

    @property
    def address(self) -> str:
        """Of the server: scheme, host and port."""
        return "/".join(self.page.url.split("/")[:3])

    # What is on the page

    @property
    def step(self) -> str:
        """Where in the lesson the page stands."""
        return str(self.page.locator("[data-step]").get_attribute("data-step"))

    @property
    def version(self) -> str:
        """Which turn the page awaits."""
        return str(self.page.locator("#player [name=version]").first.input_value())

    @property
    def phase(self) -> str:
        """Reading, asking, comparing, micro or closed; finished on the last page."""
        if self.page.locator("#lesson-complete").count():
            return "finished"
        return str(self.page.locator("[data-step]").get_attribute("data-phase"))

    @property
    def code(self) -> str:
        """The question on the page."""
        return str(self.form.get_attribute("data-draft"))

    @property
    def form(self) -> Locator:
        return self.page.locator("#answer-form")

    @property
    def field(self) -> Locator:
        return self.page.locator("#answer")

    @property
    def headline(self) -> Locator:
        return self.page.locator(".notice .headline")

    # What a learner does

    def start(self) -> None:
        """Choose the lesson on the home page and begin."""
        self.page.locator("[data-lesson=fotosintesis]").click()
        self.page.locator("#start").click()
        expect(self.page.locator("[data-step]")).to_be_visible()

    def act(self, action: Callable[[], Any]) -> None:
        """Do what makes a turn, and return when the page shows what came of it."""
        session = self.page.locator("#player").get_attribute("data-session")
        before = f"{session}/{self.version}"
        action()
        self.page.wait_for_function(STANDS_ELSEWHERE, arg=before)

    def go_on(self) -> None:
        self.act(self.page.locator("#continue").click)

    def say(self, word: str) -> None:
        """The learner's own word on what they compare: yes, partly or no."""
        self.act(self.page.locator(f"#own-word button[value={word}]").click)

    def fill(self, answer: str | list[str]) -> None:
        """Write the answer, or choose the choices with these codes; of a list for a written answer, all of it."""
        choices = self.form.locator("input[name=answer][type=radio], input[name=answer][type=checkbox]")
        if not choices.count():
            self.field.fill(answer if isinstance(answer, str) else "\n".join(answer))
            return
        for choice in choices.all():
            wanted = choice.get_attribute("value") in answer
            if wanted or choice.get_attribute("type") == "checkbox":
                choice.set_checked(wanted)

    def send(self) -> None:
        self.act(self.form.get_by_role("button").click)

    def answer(self, answer: str | list[str]) -> None:
        self.fill(answer)
        self.send()

    def answer_unsure(self) -> None:
        """ "I don't know", in words or, where there is nothing to write, the first choice."""
        choices = self.form.locator("input[name=answer][type=radio], input[name=answer][type=checkbox]")
        if choices.count():
            choices.first.check()
        else:
            self.field.fill(DONT_KNOW)
        self.send()

    def answer_right(self, variant: int = -1) -> None:
        """One of the right answers that the author or, to a closed question, pupils gave."""
        self.answer(ANSWERS[self.code]["right"][variant])

    def read_to_question(self) -> None:
        """Go on until a question is open."""
        while self.phase != "asking":
            self.go_on()

    def walk_to(self, code: str) -> None:
        """Answer everything right up to this question."""
        self.read_to_question()
        while self.code != code:
            self.answer_right()
            self.read_to_question()

    def set_mode(self, mode: str) -> None:
        self.act(lambda: self.page.locator("#mode").select_option(mode))
