"""Staff overrule a doubtful verdict, and the learner's result changes: by keys alone, on a phone, without scripts."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible, enter
from tests.browser.learner import Learner, in_doubt
from tests.browser.server import Server
from tests.browser.test_keyboard import tab_to

BENCH = "/admin/lesson_engine/verdictreview/workbench/"
PAGES = ("agreement/", "export/", "sentences/", "", "workbench/?show=sample", "workbench/?show=reviewed")
DOUBTFUL = in_doubt("importancia")


def before_question(visitor: Learner, text: str = DOUBTFUL) -> Learner:
    """A learner before a question, whose doubtful answer waits on the workbench."""
    visitor.start()
    visitor.read_to_question()
    visitor.answer(text)
    return visitor


def open_at(page: Page, words: str) -> None:
    """The queue of what the grader doubted, with this answer on top; what others left before it is skipped."""
    page.goto(f"{BENCH}?show=doubtful")
    while not page.locator(".bench-words", has_text=words).count():
        with page.expect_navigation():
            page.get_by_role("link", name="Skip it for now").click()
    expect(page.locator(".bench-words")).to_have_text(words)


def outcome(guest: Learner, server: Server) -> str:
    """How the question stands for the learner."""
    session = guest.page.locator("#player").get_attribute("data-session")
    query = "SELECT state -> 'asks' -> %s ->> 'outcome' FROM lesson_engine_session WHERE id = %s"
    return str(server.rows(query, guest.code, session)[0][0] or "open")


def test_staff_overrule_a_doubtful_verdict_with_keys_alone_and_the_learner_goes_on(
    visit: Visit, server: Server
) -> None:
    guest = before_question(visit(reduced_motion="reduce"))
    question = guest.code
    assert outcome(guest, server) == "open"
    page = enter(visit(phone=False))
    open_at(page, DOUBTFUL)
    expect(page.locator(".bench-card")).to_contain_text(question)
    assert_accessible(page)
    tab_to(page, ".bench-button[value=ACCEPT]", limit=80)
    expect(page.locator(".bench-button[value=ACCEPT]")).to_have_css("outline-style", "solid")
    page.keyboard.press("Enter")
    done = page.locator(".bench-done")
    expect(done).to_contain_text("“Right” instead of “Not sure”. The session was scored anew.")
    assert page.url.endswith("#bench")
    # Keys go on where the page has moved to, and not in its head.
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#bench') !== null")
    guest.page.reload()
    expect(guest.page.locator("#answer-form")).to_have_count(0)
    guest.go_on()
    assert guest.phase != "asking" or guest.code != question
    done.locator("a").click()
    expect(page.locator(".bench-said")).to_contain_text("Right")
    assert_accessible(page)


@pytest.mark.hard
@pytest.mark.parametrize("language", ["en", "es"])
def test_on_a_phone_everything_is_within_reach(visit: Visit, server: Server, language: str) -> None:
    before_question(visit(reduced_motion="reduce"), in_doubt("importancia", {"en": 4, "es": 5}[language]))
    page = enter(visit(language))
    page.goto(BENCH)
    page.locator(".bench-more summary").first.click()
    assert_accessible(page)
    page.locator(".bench-button[value=PARTIAL]").click()
    expect(page.locator(".bench-done")).to_be_visible()
    for path in PAGES:
        page.goto(f"/admin/lesson_engine/verdictreview/{path}")
        if path:  # the list is Django's own
            assert_accessible(page)
        else:
            expect(page.locator("#result_list tbody tr")).not_to_have_count(0)


@pytest.mark.hard
def test_two_of_the_staff_at_one_verdict_and_without_scripts(visit: Visit, server: Server) -> None:
    words = in_doubt("importancia", 3)  # of what staff have judged the grader is sure
    guest = before_question(visit(reduced_motion="reduce"), words)
    first = enter(visit(phone=False))
    second = enter(visit(java_script_enabled=False, expects=("status of 409",)))
    for page in (first, second):
        open_at(page, words)
    first.locator(".bench-button[value=ACCEPT]").click()
    expect(first.locator(".bench-done")).to_be_visible()
    second.get_by_label("Note for other staff, if you like").fill("Nothing of it.")
    second.locator(".bench-button[value=REJECT]").click()
    expect(second.get_by_role("alert")).to_contain_text("staff decided meanwhile: Right. You chose “Wrong”")
    expect(second.get_by_label("Note for other staff, if you like")).to_have_value("Nothing of it.")
    second.locator(".bench-button[value=REJECT]").click()
    expect(second.locator(".bench-done")).to_contain_text("“Wrong” instead of “Not sure”")
    guest.page.reload()
    expect(guest.page.locator("#answer-form")).to_have_count(0)  # what was closed stays closed


@pytest.mark.hard
def test_one_decision_for_answers_that_are_alike_and_each_taken_back_without_scripts(
    visit: Visit, server: Server
) -> None:
    words = in_doubt("importancia", 1)
    guests = [before_question(visit(reduced_motion="reduce"), words) for _ in range(2)]
    page, phone = enter(visit(java_script_enabled=False)), enter(visit())
    open_at(page, words)
    expect(page.locator(".bench-alike")).to_contain_text(words)
    phone.goto(page.url)
    assert_accessible(phone)
    page.locator(".bench-button[value=ACCEPT]").click()
    expect(page.locator(".bench-done")).to_contain_text("“Right” for 2 answers.")
    phone.goto(page.url)
    assert_accessible(phone)
    assert [outcome(guest, server) for guest in guests] == ["mastered"] * 2
    page.locator(".bench-members .bench-undo button").first.click()
    expect(page.locator(".bench-members")).to_contain_text("was taken back")
    expect(page.locator(".bench-members .bench-undo button")).to_have_count(1)
    assert sorted(outcome(guest, server) for guest in guests) == ["mastered", "shown"]
