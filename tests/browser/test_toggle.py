"""The switch between the modes, in the middle of a lesson; the money; the rule behind a verdict."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.kinds import Kinds
from tests.browser.learner import ANSWERS, Learner

OFF_TOPIC = "Mi equipo de fútbol ganó ayer la liga en el último minuto"


def wrong(code: str) -> str | list[str]:
    return ANSWERS[code]["wrong"][-1]


def test_adaptive_says_that_no_model_is_configured(learner: Learner) -> None:
    learner.set_mode("adaptive")
    expect(learner.page.locator(".mode-note")).to_contain_text("No language model is configured")
    expect(learner.page.locator("#mode")).to_have_value("adaptive")
    learner.page.reload()
    expect(learner.page.locator("#mode")).to_have_value("adaptive")
    learner.set_mode("deterministic")
    expect(learner.page.locator(".mode-note")).to_have_count(0)


def test_adaptive_helps_with_a_hint_and_then_with_a_detour(visit: Visit) -> None:
    guest, kinds = visit(reduced_motion="reduce"), Kinds()
    guest.start()
    guest.read_to_question()
    question = guest.code
    guest.set_mode("adaptive")
    guest.answer(wrong(question))
    expect(guest.page.locator(".hints li")).to_have_count(1)
    expect(guest.page.locator(".notice .move")).to_be_visible()
    kinds.look(guest.page)
    guest.answer(wrong(question))
    assert guest.phase == "micro"
    kinds.look(guest.page)
    guest.go_on()
    assert guest.code == question
    kinds.check()


@pytest.mark.hard
def test_a_question_left_for_another_comes_back(learner: Learner) -> None:
    learner.read_to_question()
    question = learner.code
    learner.set_mode("adaptive")
    learner.answer(OFF_TOPIC)
    assert learner.code != question
    expect(learner.page.locator(".notice .move")).to_be_visible()
    met = []
    while learner.step.split(".")[0] == "moments[0]" and question not in met:
        if learner.phase == "asking":
            met.append(learner.code)
            learner.answer_right()
        else:
            learner.go_on()
    assert question in met


@pytest.mark.hard
def test_deterministic_changes_nothing_but_the_attempt(learner: Learner) -> None:
    learner.read_to_question()
    question = learner.code
    learner.answer(wrong(question))
    learner.answer(wrong(question))
    assert learner.code == question
    expect(learner.page.locator(".hints li")).to_have_count(0)
    expect(learner.page.locator("#skip")).to_be_visible()


@pytest.mark.hard
def test_the_bar_shows_the_whole_budget_while_nothing_costs(learner: Learner) -> None:
    learner.set_mode("adaptive")
    learner.read_to_question()
    learner.answer(OFF_TOPIC)
    bar = learner.page.locator("#budget [role=progressbar]")
    expect(bar).to_have_attribute("aria-valuemax", "100")
    expect(bar).to_have_attribute("aria-valuenow", "100")
    expect(bar).to_have_attribute("aria-valuetext", "100 of 100 cents left")


def test_why_this_opens_the_rule(visit: Visit) -> None:
    guest, kinds = visit(reduced_motion="reduce"), Kinds()
    guest.start()
    guest.read_to_question()
    guest.answer(wrong(guest.code))
    guest.page.get_by_text("Why this?").click()
    expect(guest.page.locator(".why-facts code")).to_be_visible()
    kinds.look(guest.page)
    kinds.check()


@pytest.mark.hard
def test_the_bar_is_one_row_on_a_phone(learner: Learner) -> None:
    for language in ("es", "en"):
        learner.page.locator(f".language button[value={language}]").click()
        expect(learner.page.locator("html")).to_have_attribute("lang", language)
        mode, budget = (learner.page.locator(part).bounding_box() for part in ("#mode", "#budget"))
        assert mode is not None
        assert budget is not None
        assert mode["y"] < budget["y"] + budget["height"] / 2 < mode["y"] + mode["height"]
