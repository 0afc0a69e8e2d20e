"""The demo lesson from the home page to its end; the tests of each language walk it twice."""

import re

from playwright.sync_api import expect

from tests.browser.kinds import Kinds
from tests.browser.learner import ANSWERS, Learner


def walk_unsure(guest: Learner, kinds: Kinds) -> None:
    """Nothing but "I don't know": every answer is shown, the end is reached."""
    kinds.look(guest.page)
    guest.page.locator("[data-lesson=fotosintesis]").click()
    kinds.look(guest.page)
    guest.page.locator("#start").click()
    walk(guest, kinds, right=False)
    expect(guest.page.locator(".review > li")).not_to_have_count(0)
    kinds.check()


def walk_right(guest: Learner, kinds: Kinds) -> None:
    """Nothing but right answers in pupils' words: everything counts as mastered."""
    guest.start()
    walk(guest, kinds, right=True)
    assert _numbers(guest.page.locator("#lesson-complete .lead").inner_text()) == [len(ANSWERS)] * 2
    for value in guest.page.locator(".chart-value").all_inner_texts():
        mastered, questions = _numbers(value)
        assert mastered == questions
    expect(guest.page.locator(".review > li")).to_have_count(0)
    kinds.check()


def walk(guest: Learner, kinds: Kinds, *, right: bool) -> None:
    while guest.phase != "finished":
        kinds.look(guest.page)
        if guest.phase == "comparing":
            guest.say("yes" if right else "no")
        elif guest.phase != "asking":
            guest.go_on()
        elif right:
            guest.answer_right()
        else:
            guest.answer_unsure()
    kinds.look(guest.page)
    expect(guest.page.locator("#budget [role=progressbar]")).to_have_attribute("aria-valuenow", "100")


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]
