"""Wrong answers in the lesson's own words, with the roles swapped, are not praised.

They are ones that the grader sees through; some others it still takes for right.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import Learner

SWAPPED = {
    "importancia": "Los animales son la base de la comida de todas las plantas y además producen el oxígeno del aire.",
    "azucar_para": "Las plantas convierten el azúcar en luz.",
}
PRAISES = {"en": ("That's right", "right track"), "es": ("Eso es", "Vas por buen camino", "una parte es correcta")}


@pytest.mark.parametrize("language", PRAISES)
def test_the_lessons_words_in_swapped_roles_are_not_praised(visit: Visit, language: str) -> None:
    guest = visit(language, reduced_motion="reduce")
    guest.start()
    for code, answer in SWAPPED.items():
        guest.walk_to(code)
        guest.answer(answer)
        assert_not_praised(guest, answer, language)


def assert_not_praised(guest: Learner, answer: str, language: str) -> None:
    expect(guest.headline).not_to_be_empty()
    expect(guest.page.locator(".notice.good, .notice.partial, .line-counts")).to_have_count(0)
    said = guest.page.locator("body").inner_text()
    assert not [praise for praise in PRAISES[language] if praise in said], answer
    quoted = guest.page.locator(".notice .lines li:not(.line-against) .quote").all_inner_texts()
    assert not [part for part in quoted if part in answer]
