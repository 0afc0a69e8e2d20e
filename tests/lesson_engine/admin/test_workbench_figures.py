"""Sure verdicts at random, how far grader and staff agree, what staff said so far, and the labelled rows."""

import json
from typing import Any

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from lesson_engine.grading import GRADER_VERSION
from lesson_engine.models import LessonVersion, VerdictReview
from lesson_engine.services.words import words_erase
from lesson_engine.workbench import figures, queue
from telemetry.chains.verification import chains_verify
from telemetry.models import Chain, Event
from tests.conftest import LessonMaker, lesson_data
from tests.lesson_engine.admin.bench import (
    AGREEMENT,
    EXPORT,
    LIST,
    WRONG,
    Bench,
    all_by_skipping,
    colleague,
    decide,
    judged,
    marked,
    pupils,
)
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.admin.test_lists import rows
from tests.lesson_engine.learn.pages import Node, parse

SAMPLE = "show=sample"


def agreement_rows(desk: Client, query: str = "") -> list[Node]:
    return parse(desk.get(f"{AGREEMENT}?{query}").content.decode()).find("li", class_="agree-row")


def exported(desk: Client, **form: str) -> list[dict[str, Any]]:
    response = desk.post(EXPORT, form)
    assert isinstance(response, StreamingHttpResponse)
    assert response.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def test_at_random_only_sure_ones_come_each_once_and_for_everybody_in_the_same_order(
    desk: Client, make_lesson: LessonMaker
) -> None:
    version = make_lesson()
    sure = [judged(user, version).pk for user in pupils(12)]
    judged(pupils(1, 12)[0], version, doubtful=True)
    drawn = all_by_skipping(desk, SAMPLE)
    assert sorted(drawn) == sure
    assert drawn not in (sure, sure[::-1])
    assert all_by_skipping(colleague(), SAMPLE) == drawn
    # One at a time: whoever saw those that follow would choose.
    assert Bench(desk, SAMPLE).turns == drawn[:1]


def test_at_random_the_grader_is_not_heard_first(desk: Client, make_lesson: LessonMaker) -> None:
    judged(pupils(1)[0], make_lesson())
    card = Bench(desk, SAMPLE).card
    closed = card.one("details", class_="bench-closed")
    assert "open" not in closed.attrs
    assert "Wrong" in closed.text()
    assert "Wrong" not in card.text(without=["bench-closed", "bench-buttons"])
    assert not card.find("button", class_="bench-graded")
    assert "confirm the grader" not in card.text()


def test_what_was_taken_at_random_is_known_for_good(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    for user in pupils(2):
        judged(user, version)
    first = Bench(desk, SAMPLE)
    turn = first.turns[0]
    desk.post(first.action, {"result": "REJECT", "seen": 0})
    review = VerdictReview.objects.get(turn_id=turn)
    assert review.drawn
    again = Bench(desk, "show=reviewed")
    desk.post(again.action, {"result": "PARTIAL", "seen": review.pk})
    assert VerdictReview.objects.get(turn_id=turn, current=True).drawn
    assert Bench(desk, SAMPLE).turns != [turn]


def test_a_sample_is_of_the_latest(desk: Client, make_lesson: LessonMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    version = make_lesson()
    sure = [judged(user, version).pk for user in pupils(5)]
    monkeypatch.setattr(queue, "SAMPLED_FROM", 3)
    assert sorted(all_by_skipping(desk, SAMPLE)) == sure[2:]


@pytest.fixture
def looked_at(desk: Client, make_lesson: LessonMaker) -> LessonVersion:
    """Ten verdicts that staff looked at: doubtful ones of one question, sure ones of another, and one elsewhere."""
    version, dark = make_lesson(), make_lesson(meta={**lesson_data()["meta"], "slug": "dark"})
    for user, result in zip(pupils(4), ("ACCEPT", "ACCEPT", "REJECT", "PARTIAL"), strict=True):
        decide(desk, judged(user, version, doubtful=True, result="REJECT"), result)
    for user in pupils(4, 4):
        turn = marked(Walk(user, version).go_on().report().go_on().answer("seven apples"), result="PARTIAL")
        decide(desk, turn, "PARTIAL", f"?{SAMPLE}")
    decide(desk, judged(pupils(1, 8)[0], version, grader="rules-0", result="REJECT"), "REJECT")
    decide(desk, judged(pupils(1, 9)[0], dark, result="ACCEPT"), "REJECT")
    return version


def test_agreement_is_told_by_question_the_worst_first(desk: Client, looked_at: LessonVersion) -> None:
    page = desk.get(AGREEMENT).content.decode()
    assert "Doubtful verdicts were looked at because the grader doubted them" in page
    tree = parse(page)
    graders, questions = (one.find("li") for one in tree.find("ul", class_="agree"))
    now = GRADER_VERSION
    assert [row.one("p", class_="agree-what").text() for row in graders] == sorted(
        [f"{now} sure, at random", f"{now} in doubt", f"{now} sure, chosen", "rules-0 sure, chosen"],
        key=lambda text: text.split()[0],
        reverse=True,
    )
    told = [(row.one("p", class_="agree-what").text(), row.one("p", class_="agree-share").text()) for row in questions]
    assert told == [
        (f"ASK_001 light {now} in doubt", "25 % 5 to 70 %"),
        (f"ASK_001 dark {now} sure, chosen", "0 % 0 to 79 %"),
        (f"ASK_002 light {now} sure, at random", "100 % 51 to 100 %"),
        ("ASK_001 light rules-0 sure, chosen", "100 % 21 to 100 %"),
    ]
    numbers = [row.one("dl").text() for row in questions]
    assert numbers[0] == "looked at 4 agreed 1 kappa 0.00 accepted wrongly 0 not accepted wrongly 2"
    assert numbers[1].endswith("accepted wrongly 1 not accepted wrongly 0")
    assert "kappa –" in numbers[2]


def test_agreement_is_narrowed_and_leads_to_what_was_looked_at(desk: Client, looked_at: LessonVersion) -> None:
    assert len(agreement_rows(desk, "lesson=dark")) == 2  # one of the grader, one of the question
    assert len(agreement_rows(desk, "grader=rules-0")) == 2
    assert len(agreement_rows(desk, "lesson=light&ask=ASK_002")) == 2
    assert agreement_rows(desk, "lesson=nowhere") == []
    assert "Nobody has looked at such a verdict so far." in desk.get(f"{AGREEMENT}?lesson=nowhere").content.decode()
    link = agreement_rows(desk, "lesson=light&ask=ASK_002")[1].one("a").attrs["href"]
    assert len(Bench(desk, link.split("?")[1].split("#")[0]).turns) == 4


def test_what_staff_changed_their_mind_about_counts_once(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True)
    decide(desk, turn, "ACCEPT")
    decide(desk, turn, "REJECT", seen=VerdictReview.objects.get().pk)
    assert [row.one("dl").text()[:20] for row in agreement_rows(desk)] == ["looked at 1 agreed 1"] * 2


def test_the_worst_questions_are_shown_and_the_others_counted(
    desk: Client, looked_at: LessonVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "ROWS_SHOWN", 1)
    page = desk.get(AGREEMENT).content.decode()
    assert "3 better rows are not shown: choose a lesson." in page
    assert len(agreement_rows(desk)) == 4 + 1


def test_labelled_rows_have_what_training_needs_and_name_nobody(
    desk: Client, learner: User, make_lesson: LessonMaker
) -> None:
    version = make_lesson()
    turn = judged(learner, version, doubtful=True)
    decide(desk, turn, "PARTIAL", note="Half of it.")
    (row,) = exported(desk)
    review = VerdictReview.objects.get()
    assert row == {
        "question": "What do plants need light for? (ASK_001)",
        "objective": "Say what plants use light for",
        "reference_answers": ["Plants use light to make sugar from water and carbon dioxide."],
        "student_answer": WRONG,
        "label": "partial",
        "lang": "en",
        "lesson": "light",
        "version": version.sha256,
        "ask_code": "ASK_001",
        "kind": "open",
        "grader": review.grader,
        "graded": "reject",
        "score": review.score,
        "doubtful": True,
        "drawn": False,
        "reviewed_at": review.at.isoformat(),
    }
    said = json.dumps(row)
    assert not [name for name in ("ana", "carla", "Half of it", str(turn.session_id)) if f'"{name}' in said]
    words_erase(user_id=learner.pk)
    assert exported(desk) == []


def test_an_export_is_narrowed_named_and_recorded(desk: Client, staff: User, looked_at: LessonVersion) -> None:
    page = desk.get(EXPORT).content.decode()
    assert "10 answers were looked at so far." in page
    assert len(exported(desk)) == 10
    assert len(exported(desk, lesson="dark")) == 1
    assert len(exported(desk, lesson="light", grader="rules-0")) == 1
    assert len(exported(desk, lesson="light", ask="ASK_002")) == 4
    events = [event.data for event in Event.objects.filter(event="telemetry.exported").order_by("pk")]
    assert events[2] == {
        "by": staff.pk,
        "form": "labelled",
        "filters": {"lesson": "light", "grader": "rules-0"},
    }
    assert [event["filters"] for event in events] == [
        {},
        {"lesson": "dark"},
        {"lesson": "light", "grader": "rules-0"},
        {"lesson": "light", "ask": "ASK_002"},
    ]
    assert [check.fault for check in chains_verify(["exports"])] == [None]
    listed = desk.get(reverse("telemetry:exports")).content.decode()
    assert "lesson: dark" in listed
    response = desk.post(EXPORT, {"lesson": "light", "grader": "rules-0"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="labelled-light-rules-0.jsonl"'


def test_hostile_words_are_one_line_of_ascii(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    evil = '"}\n{"label": "accept"}\u2028\x85=1+1 ñ 😀 <script>'
    decide(desk, judged(learner, make_lesson(), f"{evil} they sleep"), "REJECT")
    response = desk.post(EXPORT)
    assert isinstance(response, StreamingHttpResponse)
    sent: bytes = b"".join(response.streaming_content)
    assert sent.isascii()
    assert sent.count(b"\n") == 1
    assert json.loads(sent)["student_answer"] == f"{evil} they sleep"


def test_looking_at_the_export_records_nothing(desk: Client, looked_at: LessonVersion) -> None:
    desk.get(EXPORT)
    desk.head(EXPORT)
    assert not Chain.objects.filter(pk="exports").exists()


def test_what_staff_said_is_listed_and_filtered(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    dora = colleague()
    confirmed, overruled = (judged(user, version) for user in pupils(2))
    doubtful = judged(pupils(1, 2)[0], version, doubtful=True, grader="rules-0")
    decide(desk, confirmed, "REJECT", note="Indeed.")
    decide(dora, overruled, "ACCEPT")
    decide(desk, doubtful, "PARTIAL")
    one, two, three = VerdictReview.objects.order_by("pk")
    name = "admin:lesson_engine_verdictreview_changelist"
    assert rows(desk, name) == [three, two, one]
    assert rows(desk, name, agrees="yes") == [one]
    assert rows(desk, name, agrees="no") == [two], "of what the grader doubts it said nothing"
    assert rows(desk, name, result="ACCEPT") == [two]
    assert rows(desk, name, doubtful="yes") == [three]
    assert rows(desk, name, doubtful="no", mine="yes") == [one]
    assert rows(desk, name, grader="rules-0") == [three]
    assert rows(desk, name, lesson="nowhere") == []
    by_grader = [cell.text() for cell in parse(desk.get(LIST).content.decode()).find("td", class_="field-by_grader")]
    assert by_grader == ["Not sure", "Wrong", "Wrong"]
    assert rows(desk, name, q="ASK_001", agrees="yes") == [one]
    page = desk.get(f"{LIST}{one.pk}/change/").content.decode()
    for part in (
        "Indeed.",
        f"{reverse('admin:lesson_engine_session_change', args=[confirmed.session_id])}#turn-{confirmed.version}",
        reverse("admin:lesson_engine_verdictreview_verdict", args=[confirmed.pk]),
    ):
        assert part in page


@pytest.mark.parametrize("address", [AGREEMENT, EXPORT, LIST])
def test_only_staff_come_in(learner: User, make_lesson: LessonMaker, client: Client, address: str) -> None:
    judged(learner, make_lesson())
    for user in (None, learner, User.objects.create_user("ines", role=Role.INTEGRATOR)):
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(address).status_code in (302, 403)
        assert client.post(address).status_code in (302, 403)
    assert not Chain.objects.filter(pk="exports").exists()
