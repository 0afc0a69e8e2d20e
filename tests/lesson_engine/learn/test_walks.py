"""Whole walks of the demo lesson: each has an end, and every page on the way keeps its promises."""

import re
from functools import cache

import pytest

from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, Session
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player.machine import current_ask
from lesson_engine.player.outline import Outline
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.conftest import Answers, MakePerson
from tests.lesson_engine.learn.hooks import check_hooks
from tests.lesson_engine.learn.pages import Page, Person, parse

SLUG = "fotosintesis"
SPANISH_ONLY, ENGLISH_ONLY = ("Responder", "Continuar"), ("Answer", "Continue")


def outcomes() -> set[str]:
    session = Session.objects.get()
    assert session.status == Session.Status.FINISHED
    return {record.outcome for record in state_of(session).asks.values()}


@cache
def plain(markdown: str) -> str:
    """Words as they would stand on a page, without the marks of Markdown."""
    return re.sub(r"\s+", " ", re.sub(r"[*_`]", "", markdown)).strip()


def check_keeps_answers(page: Page, outline: Outline) -> None:
    """No model answer, answer's comment or hint to come is in the page of a question that is still open.

    But for the one that is compared: its answer is told.
    """
    state = state_of(Session.objects.get())
    compared = current_ask(outline, state) if state.phase == "comparing" else None
    for ask in (outline.ask(code) for code in outline.asks if state.is_open(code)):
        if ask is compared:
            continue
        feedback = ask.feedback
        secrets = [*getattr(ask.answer, "accepted", ()), feedback.accept, feedback.reveal]
        secrets += ask.hints[state.record(ask.code).hints :]
        secrets += [choice.feedback for choice in getattr(ask.answer, "choices", ()) if choice.correct]
        if ask.answer.kind in ("list", "procedure"):
            secrets.append(expected_answer(ask, outline.lesson.meta.language))
        for secret in filter(None, secrets):
            if secret in (feedback.partial, feedback.reject):
                continue
            assert plain(secret) not in page.words, (ask.code, secret)
            assert secret not in page.html, (ask.code, secret)
        if ask.answer.kind == "numeric" and page.ask == ask.code:
            # What the author says is the author's; what we add around it has no number of the answer.
            stage = page.tree.one(class_="stage")
            ours = stage.text(without=("prose", "own-words", "attempt", "why-facts", "material"))
            assert str(ask.answer.value) not in re.findall(r"[\d.]+", ours.replace(",", ".")), ask.code
    if page.ask and compared is None:
        assert not page.tree.find(class_="expected")
    check_explains_no_choice(page, outline)


def check_explains_no_choice(page: Page, outline: Outline) -> None:
    """What we say of a judged pick names no choice, neither by code nor by text."""
    notice = state_of(Session.objects.get()).notice
    if notice is None:
        return
    ours = " ".join(node.text() for name in ("lines", "why", "move") for node in page.tree.find(class_=name))
    for choice in getattr(outline.ask(notice.ask_code).answer, "choices", ()):
        assert not re.search(rf"\b{choice.code}\b", ours), (notice.ask_code, choice.code)
        assert plain(choice.text) not in ours, (notice.ask_code, choice.code)


class Act:
    """At each question: wrong and half right answers, of the `first` kind first, a hint in between, until it closes."""

    def __init__(self, answers: Answers, first: str) -> None:
        second = {"wrong": "partial", "partial": "wrong"}[first]
        self.replies = {
            code: [(value if isinstance(value, list) else [value]) for value in (*kinds[first], *kinds[second])]
            for code, kinds in answers.items()
        }
        self.turns = 0

    def __call__(self, person: Person) -> None:
        self.turns += 1
        if self.turns % 2 and person.page.has("hint"):
            person.hint()
        else:
            mine = self.replies[person.page.ask]
            mine.append(mine.pop(0))
            person.answer(*mine[-1])


@pytest.mark.parametrize(
    ("language", "mode"),
    [
        pytest.param("en", "deterministic", marks=pytest.mark.hard),
        ("es", "adaptive"),
        pytest.param("en", "adaptive", marks=pytest.mark.hard),
        pytest.param("es", "deterministic", marks=pytest.mark.hard),
    ],
)
def test_a_walk_with_wrong_answers_and_hints_keeps_every_promise_and_ends(
    photosynthesis: LessonVersion, person: MakePerson, answers: Answers, language: str, mode: str
) -> None:
    outline = outline_of(photosynthesis.pk)
    one = person(at=SLUG, language=language, htmx=mode == "adaptive")
    one.mode(mode)

    def check(somebody: Person) -> None:
        check_hooks(somebody.page)
        check_keeps_answers(somebody.page, outline)

    one.walk(Act(answers, "wrong" if mode == "adaptive" else "partial"), check)
    assert outcomes() <= {"shown", "mastered"}
    assert Session.objects.get().mode == mode


@pytest.mark.hard
@pytest.mark.parametrize("language", ["en", "es"])
def test_ticking_everything_tells_nothing_of_any_choice(
    photosynthesis: LessonVersion, person: MakePerson, language: str
) -> None:
    outline = outline_of(photosynthesis.pk)
    one, told = person(at=SLUG, language=language), []

    def tick_all(somebody: Person) -> None:
        code = somebody.page.ask
        boxes = somebody.page.tree.find("input", name="answer", type="checkbox")
        if not boxes:
            somebody.dont_know()
            return
        somebody.answer(*(box.attrs["value"] for box in boxes))
        if somebody.page.ask == code:
            told.append(code)
            assert not somebody.page.tree.find(class_="lines")
            assert not re.search(r"\d", somebody.page.tree.one(class_="notice").text(without=("why-facts",)))
            feedbacks = [choice.feedback for choice in getattr(outline.ask(code).answer, "choices", ())]
            assert not any(plain(feedback) in somebody.page.words for feedback in feedbacks if feedback)

    one.walk(tick_all, lambda somebody: check_keeps_answers(somebody.page, outline))
    assert told == ["quien_hace"] * 2


@pytest.mark.hard
@pytest.mark.parametrize("language", ["en", "es"])
def test_a_walk_with_only_no_se_ends(photosynthesis: LessonVersion, person: MakePerson, language: str) -> None:
    one = person(at=SLUG, language=language)

    def say_nothing_known(somebody: Person) -> None:
        form = somebody.page.tree.one("form", id="answer-form")
        if form.find("input", name="answer", type="radio") or form.find("input", name="answer", type="checkbox"):
            somebody.dont_know()
        else:
            somebody.answer("no sé")

    def check(somebody: Person) -> None:
        check_hooks(somebody.page)
        if not somebody.page.finished:
            assert bool(somebody.page.tree.find(class_="expected")) == (somebody.page.phase == "closed")

    one.walk(say_nothing_known, check)
    assert outcomes() == {"shown"}


@pytest.mark.parametrize("which", [pytest.param(0, marks=pytest.mark.hard), -1])
def test_a_walk_with_all_right_answers_masters_everything_at_once(
    photosynthesis: LessonVersion, person: MakePerson, answers: Answers, which: int
) -> None:
    one = person(at=SLUG, htmx=True)

    def say_right(somebody: Person) -> None:
        reply = answers[somebody.page.ask]["right"][which]
        somebody.answer(*(reply if isinstance(reply, list) else [reply]))
        assert somebody.page.phase == "closed", reply

    one.walk(say_right, lambda somebody: check_hooks(somebody.page))
    assert outcomes() == {"mastered"}
    assert not one.page.tree.find(class_="review")


def test_a_walk_with_skips_ends_and_names_what_was_skipped(photosynthesis: LessonVersion, person: MakePerson) -> None:
    one = person(at=SLUG)
    one.walk(lambda somebody: somebody.skip() if somebody.page.has("skip") else somebody.dont_know())
    assert outcomes() == {"skipped"}
    assert len(one.page.tree.one("ul", class_="review").find("details")) == photosynthesis.questions
    assert one.page.words.count("You skipped it.") == photosynthesis.questions


def test_a_finished_page_stays_and_the_lesson_can_be_taken_again(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    one = person(at="light")
    one.walk(lambda somebody: somebody.skip() if somebody.page.has("skip") else somebody.dont_know())
    first = one.address
    again = person(at="light")
    assert again.address != first
    assert one.look().finished
    assert Session.objects.count() == 2


def test_the_pages_are_well_formed_and_in_the_language_asked_for(
    photosynthesis: LessonVersion, person: MakePerson
) -> None:
    for language in ("en", "es"):
        html = person(at=SLUG, language=language).page.html
        assert parse(html).one("html").attrs["lang"] == language
