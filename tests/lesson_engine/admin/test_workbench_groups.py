"""One decision for answers that are alike, on the workbench: what it does to each, and that each can be taken back."""

from html import escape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from lesson_engine.models import AnswerExample, LessonVersion, Session, Turn, VerdictReview
from lesson_engine.services import reviewing
from lesson_engine.services.turns import LEASE, state_of
from lesson_engine.services.words import words_erase
from tests.conftest import LessonMaker
from tests.lesson_engine.admin.bench import BENCH, WRONG, Bench, colleague, decide, judged, pupils, verdict_page
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import Node
from tests.lesson_engine.services.conftest import turn_begun

NEAR = ("They need it for sleeping", WRONG.upper())


def outcome_of(turn: Turn) -> str:
    return state_of(Session.objects.get(pk=turn.session_id)).record("ASK_001").outcome


@pytest.fixture
def three(desk: Client, make_lesson: LessonMaker) -> list[Turn]:
    """Three answers that are alike, all in doubt; the last is on top of the queue."""
    version = make_lesson()
    texts = (*NEAR, WRONG)
    return [judged(user, version, text, doubtful=True) for user, text in zip(pupils(3), texts, strict=True)]


def boxes(bench: Bench) -> list[Node]:
    return bench.card.find("input", name="also")


def also(bench: Bench) -> list[int]:
    """The answers that are ticked."""
    return [int(box.attrs["value"]) for box in boxes(bench) if "checked" in box.attrs]


def send(desk: Client, bench: Bench, result: str, keys: list[int], **more: Any) -> str:
    """The query string of the page after the decision."""
    response = desk.post(bench.action, {"result": result, "seen": 0, "also": keys, **more})
    assert response.status_code == 302, response.content
    return query_of(response)


def query_of(response: Any) -> str:
    address: str = response.headers["Location"]
    assert address.startswith(f"{BENCH}?")
    assert address.endswith("#bench")
    return address.split("?")[1].split("#")[0]


def undo_forms(bench: Bench) -> list[Node]:
    return bench.tree.one("div", class_="bench-stored").find("form", class_="bench-undo")


def take_back(desk: Client, form: Node) -> HttpResponse:
    (review,) = form.find("input", name="review")
    response = desk.post(form.attrs["action"], {"review": review.attrs["value"]})
    assert isinstance(response, HttpResponse)
    return response


def results() -> dict[int, str]:
    """Of the reviews that count, by their turns."""
    return dict(VerdictReview.objects.filter(current=True).values_list("turn_id", "result"))


def test_alike_ones_are_listed_ticked_with_all_their_words(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    assert bench.turns[0] == three[2].pk
    assert also(bench) == [three[1].pk, three[0].pk]
    fieldset = bench.card.one("fieldset", class_="bench-alike")
    assert "2 other answers like this one" in fieldset.text()
    assert all(text in fieldset.text() for text in NEAR)
    assert "Decide for all ticked" in bench.card.one("form", class_="bench-decide").text()
    alone = fieldset.one("a").attrs["href"]
    assert not boxes(Bench.of(desk.get(alone).content.decode()))


def test_where_none_is_alike_nothing_is_said_of_it(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    for user, text in zip(pupils(2), ("To make sugar", WRONG), strict=True):
        judged(user, version, text)
    bench = Bench(desk)
    assert not boxes(bench)
    assert "What is this answer worth?" in bench.card.text()


@pytest.mark.parametrize("query", ["show=sample", "show=reviewed"])
def test_random_ones_and_reviewed_ones_come_alone(desk: Client, make_lesson: LessonMaker, query: str) -> None:
    version = make_lesson()
    turns = [judged(user, version) for user in pupils(3)]
    decide(desk, turns[0], "REJECT")
    assert not boxes(Bench(desk, query))


def test_one_decision_is_a_review_of_each(desk: Client, staff: User, three: list[Turn]) -> None:
    bench = Bench(desk)
    after = Bench(desk, send(desk, bench, "ACCEPT", also(bench), note="Sleep is meant."))
    reviews = VerdictReview.objects.all()
    assert results() == dict.fromkeys([turn.pk for turn in three], "ACCEPT")
    assert {(review.by, review.note, review.drawn) for review in reviews} == {(staff, "Sleep is meant.", False)}
    assert len({review.rescoring_id for review in reviews}) == 3
    assert [outcome_of(turn) for turn in three] == ["mastered"] * 3
    assert AnswerExample.objects.filter(removed_at=None).count() == 3
    assert after.tree.one("p", class_="bench-done").text() == "ASK_001: “Right” for 3 answers."
    assert len(undo_forms(after)) == 3
    assert after.empty.startswith("No such verdict waits")


def test_what_is_not_ticked_goes_on_waiting(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    after = Bench(desk, send(desk, bench, "ACCEPT", [three[0].pk]))
    assert results() == {three[2].pk: "ACCEPT", three[0].pk: "ACCEPT"}
    assert after.turns == [three[1].pk]


def test_without_a_tick_it_is_one_decision(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    after = Bench(desk, send(desk, bench, "ACCEPT", []))
    assert results() == {three[2].pk: "ACCEPT"}
    assert "“Right” instead of “Not sure”" in after.tree.one("p", class_="bench-done").text()
    assert len(undo_forms(after)) == 1


def test_those_that_changed_meanwhile_are_named_and_the_others_stored(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    erased, decided, free, first = (judged(user, version, doubtful=True) for user in pupils(4))
    bench = Bench(desk)
    keys = also(bench)
    decide(colleague(), decided, "PARTIAL")
    words_erase(user_id=erased.session.user_id)
    after = Bench(desk, send(desk, bench, "ACCEPT", keys))
    assert results() == {decided.pk: "PARTIAL", free.pk: "ACCEPT", first.pk: "ACCEPT"}
    left = after.tree.one("div", class_="bench-stored").one("div", class_="bench-conflict")
    assert "Nothing was stored for these:" in left.text()
    assert "dora decided meanwhile: Partly right" in left.text()
    assert "the learner's words were erased" in left.text()
    links = [link.attrs["href"].split("?")[0] for link in left.find("a")]
    assert sorted(links) == sorted(verdict_page(turn) for turn in (erased, decided))


def test_also_the_one_on_top_may_have_changed(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    decide(colleague(), three[2], "PARTIAL")
    after = Bench(desk, send(desk, bench, "ACCEPT", also(bench)))
    assert results() == {three[2].pk: "PARTIAL", three[1].pk: "ACCEPT", three[0].pk: "ACCEPT"}
    assert "dora decided meanwhile" in after.tree.one("div", class_="bench-conflict").text()


def test_who_had_decided_the_same_before_is_named_and_not_undone(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    decide(colleague(), three[1], "ACCEPT")
    after = Bench(desk, send(desk, bench, "ACCEPT", also(bench)))
    assert after.tree.one("p", class_="bench-done").text() == "ASK_001: “Right” for 2 answers."
    assert len(undo_forms(after)) == 2
    members = after.tree.one("div", class_="bench-stored").one("ul", class_="bench-members").text()
    assert "dora had said “Right” before, so nothing was added." in members
    alone = Bench(desk, f"done={VerdictReview.objects.get(turn=three[1]).pk}")
    assert "dora had said" in alone.tree.one("p", class_="bench-done").text()
    assert not undo_forms(alone)


def test_nobody_waits_for_one_whose_learner_is_answering(
    desk: Client, three: list[Turn], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(_: Turn) -> None:
        raise AssertionError("a group waits for nobody")

    monkeypatch.setattr(reviewing, "turn_wait", never)
    bench = Bench(desk)
    turn_begun(Session.objects.get(pk=three[1].session_id), WRONG, lease=LEASE)
    after = Bench(desk, send(desk, bench, "ACCEPT", also(bench)))
    assert results() == {three[2].pk: "ACCEPT", three[0].pk: "ACCEPT"}
    left = after.tree.one("div", class_="bench-stored").one("div", class_="bench-conflict")
    assert "the learner was answering at that moment" in left.text()


def test_each_member_is_taken_back_by_itself(desk: Client, three: list[Turn]) -> None:
    bench = Bench(desk)
    after = Bench(desk, send(desk, bench, "ACCEPT", also(bench)))
    query = query_of(take_back(desk, undo_forms(after)[1]))
    assert results() == {three[2].pk: "ACCEPT", three[0].pk: "ACCEPT"}
    assert [outcome_of(turn) for turn in three] == ["mastered", "shown", "mastered"]
    assert AnswerExample.objects.filter(removed_at=None).count() == 2
    undone = Bench(desk, query)
    assert undone.turns == [three[1].pk]
    assert len(undo_forms(undone)) == 2
    members = undone.tree.one("div", class_="bench-stored").one("ul", class_="bench-members").text()
    assert "ASK_001: “Right” was taken back, and the grader's “Not sure” counts again." in members


def test_a_single_decision_is_taken_back_from_where_it_is_told(desk: Client, three: list[Turn]) -> None:
    after = Bench(desk, query_of(decide(desk, three[2], "ACCEPT", "?show=doubtful&lesson=light")))
    query = query_of(take_back(desk, undo_forms(after)[0]))
    assert "lesson=light" in query
    assert results() == {}
    undone = Bench(desk, query)
    assert "was taken back" in undone.tree.one("p", class_="bench-done").text()
    assert undone.turns[0] == three[2].pk


def test_a_button_pressed_twice_takes_back_once(desk: Client, three: list[Turn]) -> None:
    after = Bench(desk, query_of(decide(desk, three[0], "ACCEPT")))
    (form,) = undo_forms(after)
    assert [take_back(desk, form).status_code for _ in range(2)] == [302, 302]
    assert VerdictReview.objects.count() == 2


def test_what_counts_is_taken_back_from_the_card_too(desk: Client, three: list[Turn]) -> None:
    decide(desk, three[0], "ACCEPT", note="Yes.")
    page = Bench.of(desk.get(verdict_page(three[0])).content.decode())
    said = page.card.one("section", class_="bench-said")
    (form,) = said.find("form", class_="bench-undo")
    take_back(desk, form)
    page = Bench.of(desk.get(verdict_page(three[0])).content.decode())
    said = page.card.one("section", class_="bench-said")
    assert "Taken back carla" in said.text()
    assert "Right carla" in said.text()
    assert "no longer counts" in said.text()
    assert not said.find("form")
    assert page.card.one("form", class_="bench-decide").one("input", name="seen").attrs["value"] == "0"


def test_from_a_sessions_timeline_it_leads_back_there(desk: Client, three: list[Turn]) -> None:
    decide(desk, three[0], "ACCEPT")
    page = Bench.of(desk.get(verdict_page(three[0], "?from=session")).content.decode())
    response = take_back(desk, page.card.one("section", class_="bench-said").one("form"))
    session = reverse("admin:lesson_engine_session_change", args=[three[0].session_id])
    assert response.headers["Location"] == f"{session}#turn-{three[0].version}"
    timeline = desk.get(session).content.decode()
    assert "carla took that back: Right before, Not sure again, as the grader said." in timeline
    listed = desk.get(reverse("admin:lesson_engine_verdictreview_changelist")).content.decode()
    assert listed.count("taken back") == 1


def test_what_a_colleague_decided_since_is_not_taken_back(desk: Client, three: list[Turn]) -> None:
    decide(desk, three[0], "ACCEPT")
    mine = VerdictReview.objects.get()
    decide(colleague(), three[0], "PARTIAL", seen=mine.pk)
    response = desk.post(_undo(three[0]), {"review": mine.pk})
    assert response.status_code == 409
    assert "Somebody else has decided on this answer meanwhile" in response.content.decode()
    assert results() == {three[0].pk: "PARTIAL"}


def test_erased_words_are_not_taken_back(desk: Client, three: list[Turn]) -> None:
    decide(desk, three[0], "ACCEPT")
    words_erase(user_id=three[0].session.user_id)
    assert not Bench.of(desk.get(verdict_page(three[0])).content.decode()).card.find("form")
    response = desk.post(_undo(three[0]), {"review": VerdictReview.objects.get().pk})
    assert response.status_code == 409
    assert "There is nothing to take back here any more." in response.content.decode()


@pytest.mark.parametrize("form", [{}, {"review": "x"}, {"review": "0"}, {"review": str(2**63)}, {"review": "7"}])
def test_there_is_nothing_else_to_take_back(desk: Client, three: list[Turn], form: dict[str, str]) -> None:
    decide(desk, three[0], "ACCEPT")
    assert desk.post(_undo(three[0]), form).status_code == 404
    assert desk.post(_undo(three[1]), {"review": VerdictReview.objects.get().pk}).status_code == 404
    assert desk.get(_undo(three[0])).status_code == 405
    assert VerdictReview.objects.count() == 1


def test_answers_to_another_question_are_not_decided_on(desk: Client, three: list[Turn], learner: User) -> None:
    version = three[0].session.lesson_version
    other = Turn.objects.filter(
        session=Walk(learner, version).go_on().report().go_on().answer("7").session, kind="answer"
    ).get()
    send(desk, Bench(desk), "ACCEPT", [other.pk, 10**15])
    assert results() == {three[2].pk: "ACCEPT"}


@pytest.mark.parametrize("keys", [["x"], ["-1"], ["1.5"], ["9" * 30], [str(n) for n in range(1, 60)]])
def test_keys_that_no_page_gave_decide_nothing(desk: Client, three: list[Turn], keys: list[str]) -> None:
    response = desk.post(verdict_page(three[2]), {"result": "ACCEPT", "seen": 0, "also": keys})
    assert response.status_code == 422
    assert not VerdictReview.objects.exists()


@pytest.mark.parametrize(
    "query", ["done=x,1", "done=,,", "done=99999999999999999999", "left=7", "left=x", "done=1&left=1"]
)
def test_no_address_breaks_the_page(desk: Client, three: list[Turn], query: str) -> None:
    Bench(desk, query)


def test_hostile_words_stay_words(desk: Client, make_lesson: LessonMaker) -> None:
    evil = "<script>alert(1)</script> {{ 7|add:1 }}"
    version: LessonVersion = make_lesson()
    for user in pupils(2):
        judged(user, version, evil)
    bench = Bench(desk)
    after = Bench(desk, send(desk, bench, "REJECT", also(bench)))
    for page in (bench.html, after.html):
        assert "<script>alert" not in page
        assert escape("<script>alert(1)</script>") in page


def test_only_staff_take_back(learner: User, desk: Client, three: list[Turn]) -> None:
    decide(desk, three[0], "ACCEPT")
    client = Client()
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    response = client.post(_undo(three[0]), {"review": VerdictReview.objects.get().pk})
    assert response.status_code in (302, 403)
    assert results() == {three[0].pk: "ACCEPT"}


def test_a_verdict_s_page_says_whether_it_comes_out_the_same(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    one, two = pupils(2)
    decide(desk, judged(one, version), "ACCEPT")
    Walk(two, version).go_on().answer(WRONG)
    turn = Turn.objects.filter(kind="answer").latest("pk")
    page = Bench.of(desk.get(verdict_page(turn)).content.decode())
    assert "It was held against 1 answer that staff had judged." in page.card.text()
    assert "it comes out the same" in page.card.text()
    assert "A teacher has judged the same answer before." in page.card.text()
    words_erase(user_id=one.pk)
    assert "It cannot be graded again from the same" in desk.get(verdict_page(turn)).content.decode()
    assert "graded again" not in Bench(desk).html.lower()


def _undo(turn: Turn) -> str:
    return reverse("admin:lesson_engine_verdictreview_undo", args=[turn.pk])
