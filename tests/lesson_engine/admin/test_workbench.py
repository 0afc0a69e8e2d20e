"""The queue of verdicts, the card of one, and what staff decide on it."""

from html import escape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.services.questions import question_void
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import words_erase
from tests.conftest import LessonMaker, ask, lesson_data
from tests.each import each
from tests.lesson_engine.admin.bench import (
    BENCH,
    WRONG,
    Bench,
    all_by_skipping,
    colleague,
    decide,
    judged,
    marked,
    pupils,
    verdict_page,
)
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.admin.test_timeline import in_order

EVIL = "<script>alert(1)</script>\" onmouseover='x' {{ 7|add:1 }}"


def outcome_of(turn: Turn) -> str:
    """How the first question stands in the answer's session."""
    return state_of(Session.objects.get(pk=turn.session_id)).record("ASK_001").outcome


def test_the_doubtful_come_first_and_the_newest_of_them_on_top(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    one, two, three, four = (
        judged(user, version, doubtful=doubtful)
        for user, doubtful in zip(pupils(4), (True, False, True, False), strict=True)
    )
    waiting = [three.pk, one.pk, four.pk, two.pk]
    assert Bench(desk).turns == waiting
    assert all_by_skipping(desk) == waiting
    assert Bench(desk, "show=doubtful").turns == [three.pk, one.pk]
    assert Bench(desk, "show=sure").turns == [four.pk, two.pk]
    assert Bench(desk, "show=reviewed").turns == []
    decide(desk, three, "REJECT")
    decide(desk, two, "ACCEPT")
    assert Bench(desk).turns == [one.pk, four.pk]
    assert Bench(desk, "show=reviewed").turns == [two.pk, three.pk]


def test_the_queue_is_narrowed_by_all_filters_together(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    dark = make_lesson(meta={**lesson_data()["meta"], "slug": "dark"})
    people = pupils(4)
    light = judged(people[0], version)
    later = marked(Walk(people[1], version).go_on().report().go_on().answer("seven apples"))
    other = judged(people[2], dark)
    former = judged(people[3], version, grader="rules-0")
    assert Bench(desk, "lesson=light").turns == [former.pk, later.pk, light.pk]
    assert Bench(desk, "lesson=dark").turns == [other.pk]
    assert Bench(desk, "lesson=nowhere").turns == []
    assert Bench(desk, "lesson=light&ask=ASK_002").turns == [later.pk]
    assert Bench(desk, "grader=rules-0").turns == [former.pk]
    assert Bench(desk, "grader=rules-0&lesson=dark").turns == []
    assert Bench(desk, f"result={light.result}&lesson=light&ask=ASK_001").turns == [former.pk, light.pk]
    assert Bench(desk, "result=ACCEPT").turns == []
    chosen = Bench(desk, "lesson=light&ask=ASK_002&show=sure").tree
    selected = [one.attrs["value"] for one in chosen.find("option") if "selected" in one.attrs]
    assert selected == ["sure", "light", "ASK_002", "", ""]


def test_a_question_can_be_chosen_once_there_is_a_lesson(desk: Client, make_lesson: LessonMaker) -> None:
    make_lesson()
    assert not Bench(desk).tree.find("select", name="ask")
    codes = Bench(desk, "lesson=light").tree.one("select", name="ask").find("option")
    assert [one.attrs["value"] for one in codes] == ["", "ASK_001", "ASK_002"]


@pytest.mark.parametrize(
    "query",
    [
        *("show=nothing", "show=waiting&after=x1", "after=d", "after=dé", "after=d99999999999999999999", "after=r1"),
        *("show=reviewed&after=d1", "show=sample&after=d1", "lesson=%00", "lesson=" + "x" * 500, "result=GOOD"),
        *("done=x", "done=99999999999999999999", "done=1", "ask=ASK_001", "grader=%27%20OR%201=1--", "show=sample"),
    ],
)
def test_no_address_breaks_the_page(desk: Client, make_lesson: LessonMaker, query: str) -> None:
    judged(pupils(1)[0], make_lesson())
    Bench(desk, query)


def test_a_card_has_all_that_is_needed_to_decide(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    groups = [["sugar", "glucose"], ["water", *(f"way{n}" for n in range(9))]]
    accepted = [f"Plants make sugar, said in way {n}." for n in range(7)]
    answer = {"kind": "open", "accepted": accepted, "keyword_groups": groups}
    version = make_lesson(ask(answer=answer))
    turn = judged(learner, version, doubtful=True, score=0.39)
    card = Bench(desk).card
    in_order(
        card.text(),
        *("Light · 1", "ASK_001", "in doubt", "The session of ana", "What do plants need light for? (ASK_001)"),
        *("The learner's words", WRONG, "What the grader said", "Not sure", "score 39 %"),
        f"grader {turn.verdict['grader']}",  # type: ignore[index]
        *("What the author expects", "in one's own words", "way 0", "way 3", "3 more", "way 6"),
        *("Ideas that must be there", "sugar / glucose", "water / way0", "…", "way8"),
        *("Objective: Say what plants use light for", "What is this answer worth?"),
        *("Right", "Partly right", "Wrong", "Not an answer", "Skip it for now"),
    )
    links = [one.attrs["href"] for one in card.find("a")]
    assert reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]) in links
    assert f"{reverse('admin:lesson_engine_session_change', args=[turn.session_id])}#turn-{turn.version}" in links
    buttons = card.find("button", name="result")
    assert [one.attrs["value"] for one in buttons] == ["ACCEPT", "PARTIAL", "REJECT", "NOT_GRADABLE"]


@pytest.mark.parametrize(
    ("answer", "said", "expected"),
    [
        (
            {"kind": "list", "items": [["carbon dioxide", "CO2"], ["water"], ["light"]], "required": 2},
            "nothing at all",
            ["a list", "carbon dioxide CO2", "water", "light", "2 of them are enough."],
        ),
        (
            {"kind": "procedure", "steps": [["take in water"], ["catch light", "absorb light"]]},
            "they sleep first",
            ["steps in order", "take in water", "catch light absorb light"],
        ),
        (
            {"kind": "numeric", "value": 1.5, "tolerance": 0.1, "unit": "meter"},
            "9 meters",
            ["a number", "1.5 meter", "Right within 0.1 meter."],
        ),
        (
            {"kind": "definition", "term": "light", "accepted": ["What plants make sugar with."]},
            "a thing in rooms",
            ["a definition", "What plants make sugar with."],
        ),
        (
            {
                "kind": "choice",
                "choices": [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}],
            },
            "",
            ["one choice", "Sugar"],
        ),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_what_the_author_expects_is_shown_for_every_kind(
    desk: Client, learner: User, make_lesson: LessonMaker, answer: dict[str, Any], said: str, expected: list[str]
) -> None:
    walk = Walk(learner, make_lesson(ask(answer=answer))).go_on()
    turn = marked(walk.answer(said) if said else walk.answer("", "b"))
    page = desk.get(verdict_page(turn)).content.decode()
    in_order(Bench.of(page).card.text(), said or "Salt", *expected)


def test_overruling_changes_the_learners_result_and_goes_on_to_the_next(
    desk: Client, staff: User, make_lesson: LessonMaker
) -> None:
    version = make_lesson()
    other, turn = (judged(user, version, doubtful=True) for user in pupils(2))
    assert outcome_of(turn) == "open"
    bench = Bench(desk)
    assert bench.turns == [turn.pk, other.pk]
    response = desk.post(bench.action, {"result": "ACCEPT", "note": " Sleep is meant. ", "seen": "0"})
    assert response.status_code == 302
    address = response.headers["Location"]
    assert address.startswith(f"{BENCH}?")
    assert address.endswith("#bench")
    assert outcome_of(turn) == "mastered"
    review = VerdictReview.objects.get()
    assert (review.turn, review.result, review.note, review.by, review.drawn) == (
        turn,
        "ACCEPT",
        "Sleep is meant.",
        staff,
        False,
    )
    after = Bench(desk, address.split("?")[1].split("#")[0])
    assert after.turns == [other.pk]
    done = after.tree.one("p", class_="bench-done")
    assert done.text() == ("ASK_001: “Right” instead of “Not sure”. The session was scored anew. Look at it again")
    assert done.one("a").attrs["href"].startswith(verdict_page(turn))


def test_confirming_is_stored_and_scores_nothing_anew(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson())
    before = Session.objects.get().version
    response = decide(desk, turn, turn.result)
    assert VerdictReview.objects.get().rescoring is None
    assert Session.objects.get().version == before
    page = Bench(desk, response.headers["Location"].split("?")[1].split("#")[0])
    assert "ASK_001: “Wrong” confirmed." in page.tree.one("p", class_="bench-done").text()
    assert page.empty.startswith("No such verdict waits to be looked at.")


@each(("language", "label"), [("en", "Not sure"), ("es", "Dudosa")])
def test_of_a_verdict_in_doubt_staff_read_that_the_grader_was_not_sure(
    desk: Client, make_lesson: LessonMaker, language: str, label: str
) -> None:
    version = make_lesson()
    sure, second, first = (
        judged(user, version, text, doubtful=doubtful, result="PARTIAL", rule="open.semantic")
        for user, text, doubtful in zip(
            pupils(3), ("They do it", "Light is cheap", "Trains are fast"), (False, True, True), strict=True
        )
    )
    bench = Bench.of(desk.get(BENCH, headers={"accept-language": language}).content.decode())
    assert bench.turns == [first.pk, second.pk, sure.pk]
    verdict = bench.card.one("div", class_="bench-verdict")
    assert verdict.one("strong").text() == label
    assert "bench-not_sure" in verdict.attrs["class"]
    assert not bench.card.find("span", class_="bench-button-note"), "there is nothing to confirm"
    marks = bench.tree.one("section", class_="bench-queue").find("span", class_="bench-mark")
    assert [mark.attrs["class"].split()[1] for mark in marks] == ["bench-not_sure", "bench-partial"]
    assert marks[0].text() == label != marks[1].text()


def test_what_staff_say_of_a_doubt_confirms_nothing(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True, result="PARTIAL", rule="open.semantic")
    response = decide(desk, turn, "PARTIAL")
    page = Bench(desk, response.headers["Location"].split("?")[1].split("#")[0])
    assert "ASK_001: “Partly right” instead of “Not sure”." in page.tree.one("p", class_="bench-done").text()
    session = desk.get(reverse("admin:lesson_engine_session_change", args=[turn.session_id])).content.decode()
    in_order(session, "turn-not_sure", "Not sure", "carla changed the verdict: Not sure before, Partly right now.")
    assert "agrees with the grader" not in session


def test_doubts_are_a_result_of_their_own_to_choose_by(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    partly = {"result": "PARTIAL", "rule": "open.semantic"}
    sure, doubtful = (
        judged(user, version, doubtful=doubt, **partly) for user, doubt in zip(pupils(2), (False, True), strict=True)
    )
    assert Bench(desk, "result=PARTIAL").turns == [sure.pk]
    assert Bench(desk, "result=NOT_SURE").turns == [doubtful.pk]
    assert Bench(desk, "result=NOT_SURE&show=doubtful&lesson=light").turns == [doubtful.pk]
    assert Bench(desk, "result=NOT_SURE&show=sure").turns == []
    assert Bench(desk, "result=PARTIAL&show=doubtful").turns == []
    decide(desk, doubtful, "PARTIAL")
    assert Bench(desk, "result=NOT_SURE&show=reviewed").turns == [doubtful.pk]
    assert Bench(desk, "result=PARTIAL&show=reviewed").turns == []


def test_filters_and_place_are_kept_from_one_to_the_next(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    last, wanted, first = (judged(user, version, doubtful=True) for user in pupils(3))
    bench = Bench(desk, Bench(desk, "show=doubtful&lesson=light").skip)
    assert bench.turns == [wanted.pk, last.pk]
    address = desk.post(bench.action, {"result": "REJECT", "seen": 0}).headers["Location"]
    after = Bench(desk, address.split("?")[1].split("#")[0])
    assert after.turns == [last.pk]
    assert "lesson=light" in address
    end = Bench(desk, after.skip)
    assert end.empty.startswith("You are at the end of this queue.")
    start = end.tree.one("div", class_="bench-empty").one("a").attrs["href"]
    assert Bench(desk, start.split("?")[1].split("#")[0]).turns == [first.pk, last.pk]


def test_of_two_who_decide_the_same_the_second_is_asked_again(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True)
    dora = colleague()
    mine, hers = Bench(desk), Bench(dora)
    assert desk.post(mine.action, {"result": "ACCEPT", "note": "Fine.", "seen": 0}).status_code == 302
    response = dora.post(hers.action, {"result": "PARTIAL", "note": "Half <b>of it", "seen": 0})
    assert response.status_code == 409
    page = Bench.of(response.content.decode())
    alert = page.card.one("div", class_="bench-conflict").text()
    assert alert.startswith("carla decided meanwhile: Right. You chose “Partly right”, and nothing of it was stored.")
    assert "Fine." in page.card.one("section", class_="bench-said").text()
    assert page.card.one("textarea").text() == "Half <b>of it"
    assert VerdictReview.objects.count() == 1
    seen = page.card.one("input", name="seen").attrs["value"]
    assert dora.post(page.action, {"result": "PARTIAL", "seen": seen}).status_code == 302
    assert list(VerdictReview.objects.order_by("pk").values_list("by__username", "result", "current")) == [
        ("carla", "ACCEPT", False),
        ("dora", "PARTIAL", True),
    ]
    assert outcome_of(turn) == "missed"


def test_who_says_the_same_as_the_first_adds_nothing_and_is_told(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True)
    decide(desk, turn, "ACCEPT")
    dora = colleague()
    address = decide(dora, turn, "ACCEPT").headers["Location"]
    page = Bench(dora, address.split("?")[1].split("#")[0])
    assert "carla had said “Right” before, so nothing was added." in page.tree.one("p", class_="bench-done").text()
    assert VerdictReview.objects.count() == 1


def test_a_button_pressed_twice_decides_once(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True)
    assert [decide(desk, turn, "ACCEPT").status_code for _ in range(2)] == [302, 302]
    assert VerdictReview.objects.count() == 1


def test_a_decision_can_be_taken_back_and_all_of_it_stays_on_record(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson(), doubtful=True)
    decide(desk, turn, "ACCEPT", note="Yes.")
    bench = Bench(desk, "show=reviewed")
    assert "Right as staff said" in bench.card.one("div", class_="bench-buttons").text()
    seen = bench.card.one("input", name="seen").attrs["value"]
    address = desk.post(bench.action, {"result": "REJECT", "seen": seen}).headers["Location"]
    assert Bench(desk, address.split("?")[1].split("#")[0]).empty.startswith("You are at the end of this queue.")
    assert outcome_of(turn) == "missed"
    said = Bench(desk, "show=reviewed").card.one("section", class_="bench-said").text()
    in_order(said, "Wrong carla", "Right carla", "no longer counts", "Yes.")


def test_from_a_sessions_timeline_and_back(desk: Client, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson())
    session = reverse("admin:lesson_engine_session_change", args=[turn.session_id])
    link = verdict_page(turn, "?from=session")
    assert f'href="{link}"' in desk.get(session).content.decode()
    page = Bench.of(desk.get(link).content.decode())
    back = f"{session}#turn-{turn.version}"
    assert page.card.one("p", class_="bench-skip").one("a").attrs["href"] == back
    assert desk.post(page.action, {"result": "ACCEPT", "seen": 0}).headers["Location"] == back


def test_erased_words_are_gone_and_not_decided_on(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    turn = judged(learner, make_lesson(), doubtful=True)
    decide(desk, turn, "REJECT", note="Ana writes of sleep.")
    words_erase(user_id=learner.pk)
    page = desk.get(verdict_page(turn)).content.decode()
    assert "The learner's words were erased." in page
    assert "Without the words there is nothing to decide." in page
    assert WRONG not in page
    assert "Ana writes" not in page
    refused = decide(desk, turn, "ACCEPT", seen=VerdictReview.objects.get().pk)
    assert refused.status_code == 409
    assert "There is nothing to decide here any more" in refused.content.decode()
    assert VerdictReview.objects.count() == 1


def test_withdrawn_questions_and_picked_choices_do_not_wait(
    desk: Client, staff: User, make_lesson: LessonMaker
) -> None:
    choices = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
    version = make_lesson(ask(), ask("ASK_002", answer={"kind": "choice", "choices": choices}))
    one, two = pupils(2)
    Walk(one, version).go_on().report().go_on().answer("", "b")
    judged(two, version, doubtful=True)
    assert len(Bench(desk).turns) == 1
    question_void(version=version, ask_code="ASK_001", by=staff, reason="It has two answers.")
    assert Bench(desk).turns == []


def test_only_judged_answers_have_a_page(desk: Client, make_lesson: LessonMaker) -> None:
    walk = Walk(pupils(1)[0], make_lesson()).go_on()
    reading = Turn.objects.get(session=walk.session)
    for address in (verdict_page(reading), f"{BENCH}0/", f"{BENCH}{2**63}/", f"{BENCH}{10**30}/"):
        assert desk.get(address).status_code == 404, address
        assert desk.post(address, {"result": "ACCEPT", "seen": 0}).status_code == 404


@pytest.mark.parametrize(
    "form",
    [{}, {"result": "GOOD"}, {"seen": ""}, {"seen": "-1"}, {"seen": str(2**63)}, {"note": "x" * 2001}, {"seen": "x"}],
)
def test_a_decision_that_makes_no_sense_is_refused(
    desk: Client, make_lesson: LessonMaker, form: dict[str, str]
) -> None:
    turn = judged(pupils(1)[0], make_lesson())
    given = {"result": "ACCEPT", "note": "", "seen": "0", **form} if form else {}
    response = desk.post(verdict_page(turn), given)
    assert response.status_code == 422
    assert "Nothing was stored: choose what the answer is worth" in response.content.decode()
    assert not VerdictReview.objects.exists()


def test_hostile_texts_stay_text(desk: Client, make_lesson: LessonMaker) -> None:
    answer = {"kind": "open", "accepted": [EVIL], "keyword_groups": [[EVIL]]}
    meta = {**lesson_data()["meta"], "title": EVIL}
    version = make_lesson(ask(question=EVIL, objective=EVIL, answer=answer), meta=meta)
    one, two = (judged(user, version, f"{EVIL} they sleep") for user in pupils(2))
    decide(desk, two, "PARTIAL", note=EVIL)
    pages = [Bench(desk).html, Bench(desk, "show=reviewed").html, desk.get(verdict_page(one)).content.decode()]
    pages.append(decide(colleague(), two, "REJECT", note=EVIL).content.decode())
    for page in pages:
        assert "<script>alert" not in page
        assert escape("<script>alert(1)</script>") in page
        assert "<i onmouseover" not in page
        assert "{{ 7|add:1 }}" in page


def test_only_staff_come_in(learner: User, make_lesson: LessonMaker, client: Client) -> None:
    turn = judged(learner, make_lesson())
    for user in (None, learner, User.objects.create_user("ines", role=Role.INTEGRATOR)):
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for response in (client.get(BENCH), client.get(verdict_page(turn)), decide(client, turn, "ACCEPT")):
            assert isinstance(response, HttpResponse)
            assert response.status_code in (302, 403)
            assert WRONG not in response.content.decode()
    assert not VerdictReview.objects.exists()


def test_looking_decides_nothing_and_neither_does_a_form_of_another_site(staff: User, make_lesson: LessonMaker) -> None:
    turn = judged(pupils(1)[0], make_lesson())
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    assert decide(client, turn, "ACCEPT").status_code == 403
    assert client.get(verdict_page(turn), {"result": "ACCEPT", "seen": "0"}).status_code == 200
    assert client.put(verdict_page(turn)).status_code in (403, 405)
    assert client.post(BENCH).status_code in (403, 405)
    assert not VerdictReview.objects.exists()


def test_staff_find_the_way_to_it(desk: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    judged(pupils(1)[0], version)
    index = desk.get(reverse("admin:index")).content.decode()
    assert index.count(f'href="{BENCH}"') == 2  # in the head of every page, and in its own words
    for name, pk in (("lesson", version.lesson_id), ("lessonversion", version.pk)):
        answers = desk.get(reverse(f"admin:lesson_engine_{name}_answers", args=[pk])).content.decode()
        assert f'href="{BENCH}?lesson=light&amp;ask=ASK_001"' in answers
