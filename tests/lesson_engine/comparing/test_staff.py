"""What staff see of learners' own words: in the timeline, in lists, on the workbench, in figures."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from lesson_engine.authoring.answer_statistics import answer_statistics
from lesson_engine.dashboard.register import MEASURES
from lesson_engine.models import LessonVersion, Session
from lesson_engine.player.state import OwnWord
from lesson_engine.workbench.queue import queue_of
from lesson_engine.workbench.reviewed import EVERYTHING
from telemetry.panels import Filters
from telemetry.selectors import measure_read
from tests.lesson_engine.admin.bench import Bench, all_by_skipping, verdict_page
from tests.lesson_engine.comparing.conftest import compare, say, unsure_answer
from tests.lesson_engine.learn.pages import Node, parse
from tests.lesson_engine.player.walks import verdict
from tests.lesson_engine.unsure import make_judged
from tests.lesson_engine.workbench.conftest import WRONG, Start, answer, answers, fresh, go_on, review

EVER = Filters(since=date(2020, 1, 1), until=date(2100, 1, 1))


def session_page(desk: Client, session: Session) -> Node:
    response = desk.get(reverse("admin:lesson_engine_session_change", args=[session.pk]))
    assert response.status_code == 200
    return parse(response.content.decode())


def waiting() -> list[int]:
    """The answers that wait, in their order, taken two at a time."""
    found, after = list[int](), ""
    while places := queue_of("waiting", EVERYTHING, after=after, limit=2):
        found += [place.turn.pk for place in places]
        after = places[-1].after
    return found


def test_the_timeline_tells_what_was_compared_and_said(desk: Client, asking: Session) -> None:
    unsure_answer(asking)
    compare(asking)
    say(asking, "partly")
    tree = session_page(desk, asking)
    version = fresh(asking).version
    asked, compared, said = (tree.one("article", id=f"turn-{version - back}") for back in (3, 2, 1))
    assert "in doubt" in asked.text()
    assert "Not sure not_sure" in asked.text()
    assert "asked again reask : the grader was not sure SEM_LOW" in asked.text()
    assert "Comparison with the answer" in compared.text()
    assert "The answer was shown" in compared.text()
    assert "The learner's own word" in said.text()
    assert "Is it what they meant? Partly" in said.text()
    assert "Thanks for being honest." in said.text()
    assert "Review this verdict" not in said.text()
    assert "What was shown cannot be told any more" not in tree.text()


def test_the_session_and_the_list_count_own_words(desk: Client, comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    assert "1 of those right by the learner's own word" in session_page(desk, comparing).text()
    address = reverse("admin:lesson_engine_session_changelist")
    assert "1 by own word" in desk.get(address).content.decode()
    review(comparing, "ACCEPT", staff, at=1)
    assert "by own word" not in desk.get(address).content.decode()


def test_answers_with_an_own_word_come_first(light: LessonVersion, start: Start, staff: User) -> None:
    word, doubt, sure, later = (start(light) for _ in range(4))
    for session in (word, doubt, later):
        unsure_answer(session)
    answer(sure, WRONG)
    make_judged(fresh(sure), verdict(provenance="rules"))
    for session in (word, later):
        compare(session)
        say(session, "yes")
    order = [answers(session).get().pk for session in (later, word, doubt, sure)]
    assert waiting() == order
    review(later, "REJECT", staff)
    assert waiting() == order[1:]
    assert [place.turn.pk for place in queue_of("doubtful", EVERYTHING, after="", limit=9)] == order[1:3]
    assert [place.turn.pk for place in queue_of("sure", EVERYTHING, after="", limit=9)] == order[3:]


def test_the_card_shows_the_word(desk: Client, light: LessonVersion, start: Start) -> None:
    session, other = start(light), start(light)
    unsure_answer(session)
    compare(session)
    say(session, "no")
    unsure_answer(other)
    bench = Bench(desk)
    assert "Is it what they meant? No" in bench.card.text()
    one, two = (answers(each).get() for each in (session, other))
    assert all_by_skipping(desk) == [one.pk, two.pk]
    assert "Is it what they meant?" not in desk.get(verdict_page(two)).content.decode()


def test_of_two_answers_the_compared_one_has_the_word(comparing: Session) -> None:
    say(comparing, "yes")
    assert waiting() == [answer.pk for answer in answers(comparing)][::-1]
    places = queue_of("waiting", EVERYTHING, after="", limit=2)
    assert [vars(place.turn)["own_word"] for place in places] == ["ACCEPT", None]


def counted(name: str) -> dict[str, int]:
    return {cell.label: cell.count for cell in measure_read(name, "label", filters=EVER)}


def test_the_dashboard_keeps_own_words_apart(comparing: Session) -> None:
    names = [measure.name for measure in MEASURES if measure.name != "own_words"]
    before = {name: counted(name) for name in names}
    say(comparing, "no")
    assert {name: counted(name) for name in names} == before
    assert counted("own_words") == {"REJECT": 1}


@pytest.mark.parametrize(("word", "share"), [("yes", "100 %"), ("no", "0 %")])
def test_the_panel_of_own_words(desk: Client, comparing: Session, word: OwnWord, share: str) -> None:
    def panel() -> Node:
        page = parse(desk.get("/admin/dashboard/").content.decode())
        return page.one("section", id="own-words")

    assert panel().one("p", class_="panel-empty").text() == "No answers were compared in these days."
    say(comparing, word)
    assert f"1 answer was compared; of {share}" in panel().one("p", class_="panel-summary").text()


def test_statistics_of_a_question_tell_own_words_apart(comparing: Session, light: LessonVersion) -> None:
    say(comparing, "yes")
    go_on(comparing)
    numbers = answer_statistics("version", light.pk).asks["ASK_001"]
    assert (numbers.mastered, numbers.by_own_word, numbers.answers) == (1, 1, 2)
