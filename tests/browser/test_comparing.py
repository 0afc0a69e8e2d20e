"""A right answer in odd words ends right by the learner's own word, two clicks after it was sent."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.desk import assert_accessible
from tests.browser.learner import Learner
from tests.browser.server import Server
from tests.browser.test_without_scripts import Plain

ODD = "Sin ellas no hay desayuno ni quien te limpie lo que inspiras"
# Of what the grader is unsure depends on its version.
NOT_SURE = """
import sys
from lesson_engine.models import Session
from tests.lesson_engine.unsure import make_unsure

make_unsure(Session.objects.select_related("lesson").get(pk=sys.argv[1]))
"""
OUTCOME = "SELECT state -> 'asks' -> %s ->> 'outcome' FROM lesson_engine_session WHERE id = %s::uuid"
WORDS = {
    "en": ("I'm not sure I understood you.", "Compare with the answer", "Yes, that's it", "Good. I count it as right."),
    "es": (
        "No estoy seguro de haberte entendido.",
        "Comparar con la respuesta",
        "Sí, es eso",
        "Bien. La cuento como correcta.",
    ),
}


def not_understood(guest: Learner, server: Server) -> None:
    """An answer in odd words to the first question."""
    guest.start()
    guest.read_to_question()
    guest.answer(ODD)
    if not guest.page.locator("#compare").count():
        server.python(NOT_SURE, session_of(guest))
        guest.page.reload()


def session_of(guest: Learner) -> str:
    return str(guest.page.locator("#player").get_attribute("data-session"))


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_right_answer_in_odd_words_ends_right_in_two_clicks(visit: Visit, server: Server, language: str) -> None:
    headline, compare, yes, thanks = WORDS[language]
    guest = visit(language, reduced_motion="reduce")
    not_understood(guest, server)
    page, code, session = guest.page, guest.code, session_of(guest)
    expect(guest.headline).to_have_text(headline)
    expect(guest.field).to_have_value(ODD)
    guest.act(page.get_by_role("button", name=compare).click)
    expect(page.locator(".compare .own-words")).to_have_text(ODD)
    assert_accessible(page)
    guest.act(page.get_by_role("button", name=yes).click)
    expect(guest.headline).to_have_text(thanks)
    assert server.rows(OUTCOME, code, session)[0][0] == "mastered"
    assert_accessible(page)
    guest.go_on()


def test_a_comparison_comes_back_after_a_crash_and_works_without_scripts(visit: Visit, server: Server) -> None:
    guest = visit(java_script_enabled=False, reduced_motion="reduce", phone=False)
    plain = Plain(guest.page, guest.watch)
    not_understood(plain, server)
    page = plain.page
    plain.act(page.locator("#compare").click)
    expect(page.locator(".compare .own-words")).to_have_text(ODD)
    left, right = (side.bounding_box() for side in page.locator(".compare > section").all())
    assert left
    assert right
    assert (left["y"], left["x"] < right["x"]) == (right["y"], True), "on a wide screen side by side"
    server.kill()
    server.start()
    page.reload()
    expect(page.locator(".compare .own-words")).to_have_text(ODD)
    plain.say("no")
    expect(page.locator(".notice .expected")).to_be_visible()
    plain.go_on()
    expect(page.locator("#own-word")).to_have_count(0)
