"""A course on a phone: begun, left, taken up again, and looked back at."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.languages import in_both_languages
from tests.browser.look import faults_of

COURSES = {"es": "ciencia", "en": "science-and-numbers"}


@in_both_languages("es")
def test_a_guest_begins_a_course_leaves_it_and_finds_what_to_review(visit: Visit, language: str) -> None:
    guest = visit(language, reduced_motion="reduce")
    page = guest.page
    assert not faults_of(page), "home"
    page.locator(f"[data-course={COURSES[language]}]").click()
    assert not faults_of(page), "a course that was not begun"
    page.locator("#resume").click()
    expect(page.locator("[data-step]")).to_be_visible()
    player = page.url
    guest.read_to_question()
    while guest.phase == "asking":
        guest.answer_unsure()
    page.goto("/")
    expect(page.locator("[data-resume]")).to_have_attribute("href", re.compile(r"^/sessions/"))
    assert not faults_of(page), "home with a lesson under way"
    page.locator(f"[data-course={COURSES[language]}]").click()
    review = page.locator(".review details")
    expect(review).to_have_count(1)
    expect(review.locator(".expected")).to_be_hidden()
    review.locator("summary").click()
    expect(review.locator(".expected")).to_be_visible()
    assert not faults_of(page), "a course under way"
    page.goto("/review/")
    assert not faults_of(page), "what to review"
    page.locator(".review-go a").click()
    expect(page).to_have_url(player)
    page.go_back()
    page.go_back()
    page.locator("#resume").click()
    expect(page).to_have_url(player)
