"""The demo lesson on a phone whose language is English."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.kinds import Kinds
from tests.browser.whole_lesson import walk_right, walk_unsure


@pytest.fixture(scope="module")
def kinds() -> Kinds:
    """Kinds of page that one walk looked at need no second look on the other."""
    return Kinds()


def test_a_guest_who_never_knows_comes_to_the_end(visit: Visit, kinds: Kinds) -> None:
    guest = visit("en", reduced_motion="reduce")
    walk_unsure(guest, kinds)
    expect(guest.page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.hard
def test_right_answers_in_other_words_master_everything(visit: Visit, kinds: Kinds) -> None:
    walk_right(visit("en", reduced_motion="reduce"), kinds)


def test_the_modes_have_names_in_english(visit: Visit) -> None:
    guest = visit("en")
    guest.start()
    expect(guest.page.locator("#mode option")).to_have_text(["Deterministic", "Adaptive"])
