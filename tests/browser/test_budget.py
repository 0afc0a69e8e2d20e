"""The bar falls and the mode degrades at each threshold, and the lesson still ends. Source: issue 5, "It must show"."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner, in_doubt
from tests.browser.look import faults_of, overflow
from tests.browser.server import PASSWORD, Server
from tests.provider import Provider, Used, fails, says

SPEND = """
import config.celery_app
from tests.gateway.spending import spend_down_to
spend_down_to("{session}", "{left}")
"""
# What is left in cents, and how the page says what that means.
FALL = (
    ("42", "calm", ""),
    ("19.5", "low", "Less than a fifth of the budget is left."),
    ("9.5", "no_thinker", "Under 10 ¢: no more second opinions, the rules decide."),
    ("4.5", "economy", "Under 5 ¢: no language model is asked any more."),
    ("0", "deterministic", "Nothing of the budget is left: the lesson goes on without models."),
)


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Somebody to ask. Made in another thread: Playwright's event loop holds this one."""
    with ThreadPoolExecutor(1) as elsewhere, elsewhere.submit(Provider).result() as running:
        yield running


@pytest.fixture(scope="module")
def server(chromium: Browser, _server: Server, provider: Provider) -> Iterator[Server]:
    """The same server with models configured, on the same database."""
    models = {"OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "test", "ENGINE_DEBUG": "true"}
    configured = Server(settings.DATABASE_URL, _server.name, _server.var, **models)
    configured.start()
    yield configured
    configured.kill()
    configured.end_helper()


# Answers in which the grader is in doubt, and what a second opinion on one costs: 1,600 tokens, 4 cents. A question
# takes two of them: then the answer is compared.
DOUBTFUL = {code: in_doubt(code, 2) for code in ("importancia", "azucar_para", "verde")}
OPINION = says('{"verdict": "REJECT", "confidence": "low", "tricks": false}', used=Used(prompt=1_580, completion=20))


def spend_down_to(server: Server, learner: Learner, left: str) -> None:
    session = learner.page.locator("#player").get_attribute("data-session")
    server.python(SPEND.format(session=session, left=left))


def bar(learner: Learner) -> Locator:
    return learner.page.locator("#budget [role=progressbar]")


def colour(learner: Learner) -> str:
    return str(learner.page.locator("#budget-left").evaluate("bar => getComputedStyle(bar).fill"))


def take_a_turn(learner: Learner) -> None:
    """One that no model could be asked about."""
    if learner.phase == "asking":
        learner.answer_unsure()
    else:
        learner.go_on()


def answer_in_doubt(learner: Learner, code: str) -> None:
    """Come back to the question, where the tutor has put something in between, and answer it."""
    while learner.phase != "asking" or learner.code != code:
        take_a_turn(learner)
    learner.answer(DOUBTFUL[code])


def walk_on(learner: Learner) -> None:
    """To the end, skipping what may be skipped."""
    while learner.phase != "finished":
        if learner.page.locator("#skip").count():
            learner.act(learner.page.locator("#skip").click)
        else:
            take_a_turn(learner)


@pytest.mark.hard
def test_a_learner_sees_the_bar_fall_and_the_mode_degrade_and_still_finishes(visit: Visit, server: Server) -> None:
    guest = visit(reduced_motion="reduce")
    guest.start()
    guest.set_mode("adaptive")
    expect(bar(guest)).to_have_attribute("aria-valuenow", "100")
    colours, faults = [colour(guest)], faults_of(guest.page)
    for left, level, words in FALL:
        spend_down_to(server, guest, left)
        take_a_turn(guest)
        for _reload in range(2):
            expect(bar(guest)).to_have_attribute("aria-valuenow", left)
            expect(guest.page.locator("#budget-left")).to_have_attribute("width", left)
            expect(guest.page.locator("#budget")).to_have_attribute("data-level", level)
            expect(guest.page.locator(".budget-warning")).to_have_count(1 if words else 0)
            expect(guest.page.locator("#budget-spent")).to_be_visible()
            if words:
                expect(guest.page.locator(".mode-note .budget-warning")).to_have_text(words)
            guest.page.reload()
        colours.append(colour(guest))
        if level != "calm":
            faults += [f"{level}: {fault}" for fault in faults_of(guest.page)]
    assert not faults, "\n".join(faults)
    # Calm twice, then another one each time; at 0 nothing of the bar is left to be coloured.
    assert len(set(colours[1:5])) == 4
    assert colours[0] == colours[1]
    walk_on(guest)
    expect(bar(guest)).to_have_attribute("aria-valuenow", "0")
    expect(guest.page.locator("#budget-spent")).to_be_visible()
    expect(guest.page.locator(".budget-warning")).to_have_count(0)


@pytest.mark.hard
def test_what_the_budget_allows_is_announced_once_when_it_changes(visit: Visit, server: Server) -> None:
    guest = visit(reduced_motion="reduce")
    guest.start()
    guest.set_mode("adaptive")
    announcer = guest.page.locator("#announcer")
    expect(announcer).to_have_text(guest.page.locator(".mode-note").inner_text())
    spend_down_to(server, guest, "9")
    guest.go_on()
    expect(announcer).to_have_text(f"{guest.page.locator('#step-name').text_content()}. {FALL[2][2]}")
    guest.go_on()
    expect(announcer).not_to_contain_text("second opinions")


@pytest.mark.hard
def test_the_bar_is_one_row_on_a_small_phone_at_every_level(visit: Visit, server: Server) -> None:
    guest = visit(reduced_motion="reduce")
    guest.page.set_viewport_size({"width": 360, "height": 740})
    guest.start()
    for left, _level, _words in FALL:
        spend_down_to(server, guest, left)
        for language in ("es", "en"):
            guest.page.locator(f".language button[value={language}]").click()
            expect(guest.page.locator("html")).to_have_attribute("lang", language)
            expect(bar(guest)).to_have_attribute("aria-valuenow", left)
            mode, budget = (guest.page.locator(part).bounding_box() for part in ("#mode", "#budget"))
            assert mode is not None
            assert budget is not None
            assert mode["y"] < budget["y"] + budget["height"] / 2 < mode["y"] + mode["height"]
            words, edge = (guest.page.locator(part).bounding_box() for part in (".budget-words", ".instruments"))
            assert words is not None
            assert edge is not None
            assert words["x"] + words["width"] <= edge["x"] + edge["width"] + 0.5
            assert not overflow(guest.page)


@pytest.mark.hard
def test_without_scripts_the_bar_says_the_same(visit: Visit, server: Server) -> None:
    guest = visit(java_script_enabled=False)
    guest.page.locator("[data-lesson=fotosintesis]").click()
    guest.page.locator("#start").click()
    spend_down_to(server, guest, "9.5")
    guest.page.locator("#continue").click()
    expect(bar(guest)).to_have_attribute("aria-valuetext", "9.50 of 100 cents left")
    expect(guest.page.locator(".budget-warning")).to_have_text(FALL[2][2])


@pytest.mark.hard
def test_second_opinions_are_paid_from_the_bar_until_the_rules_decide(
    visit: Visit, server: Server, provider: Provider
) -> None:
    provider.always(OPINION)
    guest, before = visit(reduced_motion="reduce"), len(provider.calls)
    guest.start()
    guest.set_mode("adaptive")
    answer_in_doubt(guest, "importancia")
    expect(bar(guest)).to_have_attribute("aria-valuenow", "96")
    expect(guest.page.locator("#budget-spent")).to_contain_text("Spent so far: second opinions 4 ¢.")
    spend_down_to(server, guest, "22")
    answer_in_doubt(guest, "importancia")
    expect(bar(guest)).to_have_attribute("aria-valuenow", "18")
    expect(guest.page.locator(".budget-warning")).to_have_text(FALL[1][2])
    spend_down_to(server, guest, "12")
    answer_in_doubt(guest, "azucar_para")
    expect(bar(guest)).to_have_attribute("aria-valuenow", "8")
    expect(guest.page.locator(".budget-warning")).to_have_text(FALL[2][2])
    assert len(provider.calls) == before + 3
    answer_in_doubt(guest, "azucar_para")
    assert guest.phase == "comparing"
    expect(bar(guest)).to_have_attribute("aria-valuenow", "8")
    spend_down_to(server, guest, "0")
    answer_in_doubt(guest, "verde")
    expect(guest.headline).to_have_text("I'm not sure I understood you.")
    expect(guest.page.locator(".mode-note")).to_have_text(f"{FALL[4][2]}")
    assert len(provider.calls) == before + 3


@pytest.mark.hard
def test_a_lesson_goes_on_while_the_provider_fails(visit: Visit, provider: Provider) -> None:
    provider.always(fails(500))
    guest = visit(reduced_motion="reduce")
    guest.start()
    guest.set_mode("adaptive")
    answer_in_doubt(guest, "importancia")
    expect(guest.headline).to_be_visible()
    guest.page.reload()
    expect(guest.headline).to_be_visible()
    left = float(str(bar(guest).get_attribute("aria-valuenow")))
    assert 0 <= left <= 100
    answer_in_doubt(guest, "importancia")
    expect(guest.headline).to_be_visible()


@pytest.mark.hard
def test_staff_see_the_decisions_and_learners_do_not(visit: Visit, provider: Provider) -> None:
    provider.always(OPINION)
    guest, member = (visit(reduced_motion="reduce") for _ in range(2))
    guest.start()
    guest.go_on()
    expect(guest.page.locator("#decisions")).to_have_count(0)
    page = member.page
    page.goto("/account/sign-in/")
    page.locator("[name=username]").fill("staff")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main form button").click()
    page.goto("/")
    member.start()
    member.read_to_question()
    member.set_mode("adaptive")
    answer_in_doubt(member, "importancia")
    last = page.locator("#decisions li").first
    expect(last).to_be_hidden()
    page.locator("#decisions summary").click()
    expect(last).to_contain_text("thinker o3-mini escalate_grade · answered · 4 ¢")
    expect(last).to_contain_text("said REJECT")
    faults = faults_of(page)
    assert not faults, "\n".join(faults)
