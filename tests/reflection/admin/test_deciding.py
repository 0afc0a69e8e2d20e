"""The pages on which staff approve, reject and edit a reflection."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from reflection.contracts import LINE_LENGTH, LINES_AT_MOST
from reflection.models import Attempt, ReflectionReview
from reflection.services import reflection_edit
from telemetry.models import Event
from tests.gateway.admin_pages import assert_closed, messages_of
from tests.lesson_engine.learn.pages import Page
from tests.reflection.past_made import QUALITY
from tests.reflection.patterns_made import remember
from tests.reflection.reviews_made import DEEP, SPECIFIC, VAGUE, attempt, held_back, url_of, waiting

LIST = "admin:reflection_reflection_changelist"


def field(page: Page, name: str) -> str:
    """What stands in a text area."""
    area = page.tree.one("textarea", name=name)
    return "".join(part for part in area.parts if isinstance(part, str)).removeprefix("\n")


@pytest.mark.parametrize(
    ("page", "review", "in_force", "said"),
    [
        ("approve", "approved", True, "Approved: it is in force now."),
        ("reject", "rejected", False, "Rejected: it changes nothing."),
    ],
)
def test_a_decision_asks_for_its_reason_and_is_audited(
    desk: Client, learner: User, staff: User, page: str, review: str, in_force: bool, said: str
) -> None:
    row = waiting(learner)
    asked = Page(desk.get(f"{url_of(row, page)}?seen=1"))
    assert "From now on: Change priority from price to quality" in asked.words or page == "reject"
    assert "cannot be executed: Be more careful" in asked.words or page == "reject"
    refused = desk.post(url_of(row, page), {"reason": " ", "seen": "1"})
    assert refused.status_code == 422
    assert not ReflectionReview.objects.exists()
    done = desk.post(url_of(row, page), {"reason": "I looked.", "seen": "1"}, follow=True)
    assert done.redirect_chain == [(url_of(row), 302)]
    assert messages_of(done) == [said]
    row.refresh_from_db()
    assert (row.review, row.in_force) == (review, in_force)
    stored = ReflectionReview.objects.get()
    assert (stored.action, stored.by, stored.reason) == (page, staff, "I looked.")
    assert Event.objects.get(event="reflection.reviewed").data["by"] == staff.pk


def test_who_looked_at_an_older_attempt_is_told_so(desk: Client, learner: User, staff: User) -> None:
    row = waiting(learner)
    reflection_edit(reflection_id=row.pk, by=staff, reason="First.", adjustments=SPECIFIC, patterns=[], **DEEP)
    for page in ("approve", "reject", "edit"):
        assert "Somebody reviewed it meanwhile" in text_of_any(desk.get(f"{url_of(row, page)}?seen=1"), 409)
        values = {**DEEP, "adjustments": "Add constraint: stars >= 4", "reason": "Second.", "seen": "1", "store": "1"}
        late = desk.post(url_of(row, page), values)
        said = text_of_any(late, 409)
        assert "Somebody reviewed it meanwhile, and nothing of yours was stored." in said
        assert "Second." in said, "what was typed can be taken along"
    assert ReflectionReview.objects.count() == 1
    twice = desk.post(url_of(row, "approve"), {"reason": "Again.", "seen": "2"})
    assert "It is in force already." in text_of_any(twice, 409)


def text_of_any(response: Any, status: int) -> str:
    assert response.status_code == status
    return Page(response).words


def written(**changes: str) -> dict[str, str]:
    """What an edit sends that the gate accepts."""
    values = {**DEEP, "adjustments": "\n".join(SPECIFIC), "patterns": "", "reason": "It was too vague.", "seen": "1"}
    return {**values, **changes}


def test_an_edit_shows_what_the_gate_says_before_it_is_stored(desk: Client, learner: User, staff: User) -> None:
    row = waiting(learner)
    begins = Page(desk.get(f"{url_of(row, 'edit')}?seen=1"))
    assert (field(begins, "analysis"), field(begins, "adjustments")) == (DEEP["analysis"], "\n".join(VAGUE))
    assert not begins.tree.find("button", name="store")
    vague = Page(desk.post(url_of(row, "edit"), written(adjustments="Be nice\n", reason="", look="1")))
    gate = vague.tree.one(id="gate").text()
    assert gate.startswith("The gate says: accepted with warnings")
    assert "Not actionable: 0.60 < 0.8" in gate
    assert "Be nice cannot be executed" in gate
    judged = vague.tree.one("input", name="judged").attrs["value"]
    changed = Page(desk.post(url_of(row, "edit"), written(judged=judged, store="1")))
    assert "You changed it since the gate last looked at it, so nothing was stored yet." in changed.words
    assert changed.tree.one(id="gate").text().startswith("The gate says: accepted ")
    assert Attempt.objects.count() == 1
    judged = changed.tree.one("input", name="judged").attrs["value"]
    without = desk.post(url_of(row, "edit"), written(judged=judged, store="1", reason=""))
    assert without.status_code == 422, "a reason is needed to store it"
    done = desk.post(url_of(row, "edit"), written(judged=judged, store="1"), follow=True)
    assert messages_of(done) == ["Stored as attempt 2: it is in force now."]
    row.refresh_from_db()
    assert row.in_force
    kept = Attempt.objects.get(number=2)
    assert (kept.author, kept.by, kept.decision) == ("staff", staff, "accepted")
    assert [one["text"] for one in kept.adjustments] == SPECIFIC
    assert ReflectionReview.objects.get().reason == "It was too vague."


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"analysis": " "}, "This field is required."),
        ({"learning": ""}, "This field is required."),
        ({"analysis": "x" * 5_001}, "at most 5000 characters"),
        ({"analysis": "a\x00b"}, "Null characters are not allowed."),
        ({"adjustments": "\n".join(map(str, range(LINES_AT_MOST + 1)))}, "These are 21 lines; at most 20."),
        ({"patterns": f"fine\n{'x' * (LINE_LENGTH + 1)}"}, "Line 2 has 501 characters; at most 500."),
    ],
    ids=["no analysis", "no learning", "long", "nul", "many lines", "long line"],
)
def test_bad_input_is_said_beside_its_field_and_kept(
    desk: Client, learner: User, changes: dict[str, str], fault: str
) -> None:
    row = waiting(learner)
    for button in ("look", "store"):
        refused = desk.post(url_of(row, "edit"), written(**changes, **{button: "1"}))
        page = Page(refused)
        assert refused.status_code == 422
        assert fault in page.words
        assert field(page, "reason") == "It was too vague."
        assert field(page, "learning") == changes.get("learning", DEEP["learning"])
    assert Attempt.objects.count() == 1


def test_patterns_keep_their_figures_while_their_words_stay(desk: Client, learner: User) -> None:
    remember(learner, 4, QUALITY, at=timezone.now())
    row = held_back(learner, attempt())
    known = row.kept.patterns if row.kept else []
    assert known
    values = written(patterns=f"{known[0]['text']}\nIt always rains", look="1", reason="")
    judged = Page(desk.post(url_of(row, "edit"), values)).tree.one("input", name="judged").attrs["value"]
    desk.post(url_of(row, "edit"), {**values, "reason": "It rains.", "judged": judged, "store": "1"})
    first, second = Attempt.objects.get(number=2).patterns
    assert (first["support"], first["episodes"]) == (known[0]["support"], known[0]["episodes"])
    assert (second["text"], second["support"]) == ("It always rains", 0)


def test_they_are_for_staff_alone(learner: User, client: Client) -> None:
    row = waiting(learner)
    remember(learner, 3, QUALITY)
    urls = [reverse(LIST), *(url_of(row, page) for page in ("change", "approve", "reject", "edit"))]
    assert_closed(client, learner, [*urls, reverse("admin:reflection_pattern_changelist")])
    assert not ReflectionReview.objects.exists()


def test_what_is_gone_is_not_found(desk: Client) -> None:
    for page in ("approve", "reject", "edit"):
        url = reverse(f"admin:reflection_reflection_{page}", args=[uuid.uuid4()])
        assert (desk.get(url).status_code, desk.post(url, {"reason": "x"}).status_code) == (404, 404)
