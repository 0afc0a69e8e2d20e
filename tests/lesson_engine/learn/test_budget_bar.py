"""The learner's budget bar. Sources: issue 5, "Faces"; spec/3 "Límites por Sesión"."""

from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import Tier
from lesson_engine.models import Session
from tests.conftest import LessonMaker
from tests.gateway.spending import hold_cents, spend_cents, spend_down_to
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.hooks import check_hooks
from tests.lesson_engine.learn.pages import Page, Person

FREE = "This is not your money: whoever runs this server pays."
LOW = "Less than a fifth of the budget is left."
NO_SECOND_OPINIONS = "Under 10 ¢: no more second opinions, the rules decide."
NO_LANGUAGE_MODEL = "Under 5 ¢: no language model is asked any more."
USED_UP = "Nothing of the budget is left: the lesson goes on without models."


@pytest.fixture(autouse=True)
def _models(settings: Settings) -> None:
    """A provider is named; nobody asks it here."""
    settings.MODELS_CONFIGURED = True


def session_id() -> str:
    return str(Session.objects.get().pk)


def level(page: Page) -> str:
    return page.tree.one(id="budget").attrs["data-level"]


def said(page: Page) -> str:
    """What stands below the bar."""
    return " ".join(node.text() for node in page.tree.find("p") if node.attrs.get("class") in ("mode-note", "bar-note"))


def bar(page: Page) -> tuple[str, str]:
    shown = page.tree.one(id="budget").one(role="progressbar").attrs
    return shown["aria-valuenow"], shown["aria-valuetext"]


@pytest.mark.parametrize("mode", ["deterministic", "adaptive"])
@pytest.mark.parametrize(
    ("left", "expected", "words"),
    [
        ("20", "calm", ""),
        ("19.99", "low", LOW),
        ("10", "low", LOW),
        ("9.9975", "no_thinker", NO_SECOND_OPINIONS),
        ("5", "no_thinker", NO_SECOND_OPINIONS),
        ("4.9975", "economy", NO_LANGUAGE_MODEL),
        ("0.0025", "economy", NO_LANGUAGE_MODEL),
        ("0", "deterministic", USED_UP),
    ],
)
def test_colour_and_words_change_at_20_percent_10_and_5_cents_and_at_0(
    at_light: Person, mode: str, left: str, expected: str, words: str
) -> None:
    if mode == "adaptive":
        at_light.mode("adaptive")
    spend_down_to(session_id(), Decimal(left))
    page = at_light.look()
    assert level(page) == expected
    warnings = [node.text() for node in page.tree.find("strong", class_="budget-warning")]
    assert warnings == ([words] if words else [])
    assert ("In doubt it may ask a language model, paid from this budget." in said(page)) == (
        mode == "adaptive" and expected in ("calm", "low")
    )
    assert ("The tutor may still step in, by rules." in said(page)) == (
        mode == "adaptive" and expected in ("no_thinker", "economy")
    )
    assert expected != "deterministic" or said(page) == f"{USED_UP} Spent so far: second opinions 100 ¢. {FREE}"
    check_hooks(page)


def test_what_is_left_is_rounded_down_so_that_figure_and_words_agree(at_light: Person) -> None:
    spend_down_to(session_id(), Decimal("9.9975"))
    assert bar(at_light.look()) == ("9.99", "9.99 of 100 cents left")
    assert at_light.page.tree.one("rect", id="budget-left").attrs["width"] == "9.99"
    spend_down_to(session_id(), Decimal("0.0025"))
    assert bar(at_light.look()) == ("0.0025", "0.0025 of 100 cents left")
    assert "0.0025 of 100 ¢ left" in at_light.page.words


def test_what_it_went_to_is_told_by_tier_in_words(at_light: Person) -> None:
    assert not at_light.page.has("budget-spent")
    spend_cents(session_id(), Decimal("1.5"), Tier.CHEAP)
    spend_cents(session_id(), Decimal("0.0002"), Tier.EMBED)
    spend_cents(session_id(), 12)
    spent = at_light.look().tree.one(id="budget-spent").text()
    assert spent == f"Spent so far: wording 1.50 ¢ · comparing answers 0.01 ¢ · second opinions 12 ¢. {FREE}"


def test_the_bar_moves_with_the_next_turn_and_after_reloading(at_light: Person) -> None:
    spend_cents(session_id(), 2)
    assert bar(at_light.answer("They need it to sleep")) == ("98", "98 of 100 cents left")
    spend_cents(session_id(), Decimal("0.5"))
    at_light.headers["HX-Request"] = "true"
    assert bar(at_light.hint()) == ("97.5", "97.50 of 100 cents left")
    assert bar(at_light.look()) == ("97.5", "97.50 of 100 cents left")


def test_money_that_is_held_counts_as_not_left(at_light: Person) -> None:
    hold_cents(session_id(), 91)
    page = at_light.look()
    assert (level(page), bar(page)[0]) == ("no_thinker", "9")
    assert "Spent so far: set aside for what is under way 91 ¢." in said(page)


def test_that_it_is_not_the_learners_money_is_said_once(at_light: Person) -> None:
    assert FREE not in at_light.page.words
    assert at_light.mode("adaptive").words.count(FREE) == 1
    spend_cents(session_id(), 2)
    assert at_light.look().words.count(FREE) == 1
    assert at_light.mode("deterministic").words.count(FREE) == 1


def test_a_finished_lesson_says_what_it_spent_and_warns_of_nothing(at_light: Person) -> None:
    spend_down_to(session_id(), 4)
    at_light.walk(lambda somebody: somebody.dont_know())
    assert at_light.page.finished
    assert said(at_light.page) == f"Spent so far: second opinions 96 ¢. {FREE}"
    assert bar(at_light.page)[0] == "4"


def test_without_a_model_configured_the_bar_stays_calm(at_light: Person, settings: Settings) -> None:
    settings.MODELS_CONFIGURED = False
    at_light.mode("adaptive")
    assert said(at_light.page) == (
        "The tutor may now step in. No language model is configured: it works by rules, at no cost."
    )
    spend_down_to(session_id(), 4)
    assert level(at_light.look()) == "calm"
    assert said(at_light.page).endswith("at no cost. Spent so far: second opinions 96 ¢.")


def test_a_course_has_its_own_thresholds(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(policy={"budget_cents": 40, "escalation_threshold_cents": 6, "economy_threshold_cents": 2})
    one = person(at="light")
    spend_down_to(session_id(), Decimal("7.5"))
    assert (level(one.look()), said(one.page).startswith(LOW)) == ("low", True)
    spend_down_to(session_id(), 3)
    assert said(one.look()).startswith("Under 6 ¢: no more second opinions")
    spend_down_to(session_id(), 1)
    assert said(one.look()).startswith("Under 2 ¢: no language model is asked any more.")


def test_a_lesson_without_a_budget_works_by_rules_and_warns_of_nothing(
    make_lesson: LessonMaker, person: MakePerson
) -> None:
    make_lesson(policy={"budget_cents": 0})
    one = person(at="light")
    one.mode("adaptive")
    assert level(one.page) == "calm"
    assert "This lesson spends nothing on language models: it works by rules." in said(one.page)
    assert bar(one.page) == ("0", "0 of 0 cents left")


def test_in_spanish_amounts_have_commas(at_light: Person) -> None:
    spend_cents(session_id(), Decimal("2.5"))
    at_light.headers["Accept-Language"] = "es"
    assert bar(at_light.look())[0] == "97.5"
    assert "97,50" in bar(at_light.page)[1]
    assert "2,50 ¢" in said(at_light.page)


def test_a_preview_shows_the_budget_a_learner_begins_with(
    make_lesson: LessonMaker, staff: User, client: Client
) -> None:
    version = make_lesson(policy={"budget_cents": 8})
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    page = Page(client.get(f"/admin/lesson_engine/lessonversion/{version.pk}/preview/"))
    assert (bar(page)[0], level(page)) == ("8", "no_thinker")
