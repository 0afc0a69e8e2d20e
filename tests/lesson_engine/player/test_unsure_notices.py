"""What a learner is told of an answer in doubt, in both languages; none of it says "wrong"."""

import pytest
from django.utils import translation

from lesson_engine.contracts import TopicDeviation, Verdict
from lesson_engine.explanations import Judged, once_closed, while_open
from lesson_engine.explanations.notices import NoticeView, notice_view
from lesson_engine.explanations.session import explained
from lesson_engine.models import Mode
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import OwnWord, PlayerState
from lesson_engine.selectors import Tried
from lesson_engine.services.answering import verdict_count
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask
from tests.lesson_engine.player.walks import Move, Walker, outline, unsure, verdict

FEEDBACK = {"accept": "Bravo!", "partial": "Nearly!", "reject": "No, no!", "reveal": "Now look."}
ANSWER = {"kind": "open", "accepted": ["Water and light."], "keyword_groups": [["water"], ["light"]]}
FOUND = {"lacking": ["light"]}
ON_TOPIC, OFF_TOPIC = TopicDeviation.ON_TOPIC, TopicDeviation.OFF_TOPIC


def lesson() -> Outline:
    return outline([ask("a", answer=ANSWER, feedback=FEEDBACK, hints=["one"]), ask("b", feedback=FEEDBACK)])


def told(walk: Walker) -> NoticeView:
    view = notice_view(walk.outline, walk.state)
    assert view is not None
    return view


def after(judged: Verdict, deviation: TopicDeviation, *, mode: Mode = Mode.DETERMINISTIC, times: int = 1) -> NoticeView:
    """The notice after so many such replies to the first question."""
    plan = lesson()
    state: PlayerState = machine.begin(plan)
    for _ in range(times):
        _, state = verdict_count(plan, state, mode, judged, deviation)
    view = notice_view(plan, state)
    assert view is not None
    return view


@each(
    ("language", "headline", "text"),
    [
        ("en", "I'm not sure I understood you.", "Can you say it another way? This answer cost you no attempt."),
        (
            "es",
            "No estoy seguro de haberte entendido.",
            "¿Puedes decirlo de otra manera? Esta respuesta no te costó ningún intento.",
        ),
    ],
)
def test_asking_again(language: str, headline: str, text: str) -> None:
    with translation.override(language):
        view = after(unsure(feedback="Nearly!"), TopicDeviation.ON_TOPIC)
    assert (view.headline, view.text, view.tone) == (headline, text, "calm")
    assert (view.by_author, view.expected, view.move) == (False, "", "")


@each(
    ("language", "headline"),
    [("en", "Compare your answer with this one."), ("es", "Compara tu respuesta con esta.")],
)
def test_comparing(language: str, headline: str) -> None:
    with translation.override(language):
        view = after(unsure(feedback="Nearly!"), TopicDeviation.ON_TOPIC, times=2)
    assert (view.headline, view.text, view.tone) == (headline, "", "calm")
    assert "Water and light." in view.expected


@each(
    ("word", "english", "spanish", "tone"),
    [
        ("yes", "Good. I count it as right.", "Bien. La cuento como correcta.", "good"),
        (
            "partly",
            "Thanks for being honest. Part of it was there.",
            "Gracias por tu sinceridad. Una parte estaba ahí.",
            "calm",
        ),
        (
            "no",
            "Thanks for being honest. Take a moment with this answer.",
            "Gracias por tu sinceridad. Tómate un momento con esta respuesta.",
            "calm",
        ),
    ],
)
def test_after_the_own_word(word: OwnWord, english: str, spanish: str, tone: str) -> None:
    walk = Walker(lesson()).play("UNSURE", "compare", word)
    with translation.override("es"):
        assert told(walk).headline == spanish
    view = told(walk)
    assert (view.headline, view.tone, view.lines) == (english, tone, ())
    assert bool(view.expected) == (word != "yes")
    assert view.text == ("" if word == "yes" else "Now look.")
    assert view.why is not None
    assert view.why.rule == f"self.{word}"


@each(
    ("language", "headline", "text"),
    [
        (
            "en",
            "That seems to be about something else.",
            "Here is the question again. This time it costs no attempt.",
        ),
        (
            "es",
            "Parece que eso trata de otra cosa.",
            "Aquí tienes la pregunta otra vez. Esta vez no te cuesta ningún intento.",
        ),
    ],
)
def test_the_first_stray_hears_nothing_of_its_content(language: str, headline: str, text: str) -> None:
    strays = verdict(provenance="rules", feedback="No, no!", details=FOUND)
    with translation.override(language):
        view = after(strays, OFF_TOPIC)
    assert (view.headline, view.text, view.tone) == (headline, text, "calm")
    assert (view.by_author, view.lines) == (False, ())


def test_the_next_stray_costs_an_attempt_and_does_not_say_otherwise() -> None:
    view = after(verdict(provenance="rules", feedback="No, no!", details=FOUND), OFF_TOPIC, times=2)
    assert (view.headline, view.text) == ("That seems to be about something else.", "Here is the question again.")
    assert view.lines == ()


def test_the_first_stray_in_doubt_hears_that_it_strays_and_the_next_one_that_nobody_is_sure() -> None:
    first, second, third = (after(unsure(details=FOUND), OFF_TOPIC, times=times) for times in (1, 2, 3))
    assert (first.headline, first.text, first.tone) == (
        "That seems to be about something else.",
        "Here is the question again. This time it costs no attempt.",
        "calm",
    )
    assert (second.headline, second.text) == (
        "I'm not sure I understood you.",
        "Can you say it another way? This answer cost you no attempt.",
    )
    assert (third.headline, third.text) == ("Compare your answer with this one.", "")
    assert (first.lines, second.lines, third.lines) == ((), (), ())


def test_after_a_jump_the_question_is_not_said_to_be_here_again() -> None:
    view = after(verdict(provenance="rules"), OFF_TOPIC, mode=Mode.ADAPTIVE)
    assert view.text == "This time it costs no attempt."
    assert view.move == "Let's do this other question first; we'll come back to the one before."


def test_who_is_not_sure_calls_nothing_missing_or_wrong() -> None:
    plan = lesson()
    judged = Judged(plan.ask("a"), unsure(details=FOUND), "en")
    assert while_open(judged) == ()
    assert [line.text for line in once_closed(judged)] == ["I could not find this idea in your words: “light”."]


@each("rule", ["semantic", "contradiction", "alternatives", "no_statement", "denied", "thinker", "of_another_version"])
@each("language", ["en", "es"])
def test_no_sentence_of_who_is_not_sure_says_wrong(language: str, rule: str) -> None:
    claims = ("opposite", "contrario", "wrong", "incorrect", "misunderstanding", "confusión", "not so", "no es así")
    judged = unsure(rule=f"open.{rule}", details=FOUND, misconception="mixed_up")
    with translation.override(language):
        for times in (1, 2):
            view = after(judged, ON_TOPIC, times=times)
            assert view.why is not None
            said = " ".join([view.headline, view.text, view.move, view.why.words, *map(str, view.lines)]).lower()
            assert not [word for word in claims if word in said]


def test_what_is_compared_is_told_as_once_it_is_closed() -> None:
    walk = Walker(lesson()).play("REJECT", "UNSURE")
    earlier = verdict(details=FOUND)
    assert not [line for line in explained(walk.outline, walk.state, "a", earlier, ON_TOPIC) if "“light”" in line.text]
    walk.play("compare")
    assert [line for line in explained(walk.outline, walk.state, "a", earlier, ON_TOPIC) if "“light”" in line.text]


def test_a_stray_hears_nothing_of_its_content_where_something_else_closed_the_question() -> None:
    walk = Walker(lesson()).play("REJECT", "report")
    judged = verdict(provenance="rules", details=FOUND)
    for deviation, is_told in ((OFF_TOPIC, False), (ON_TOPIC, True)):
        view = notice_view(walk.outline, walk.state, earlier=Tried(judged, deviation, ("x",)))
        assert view is not None
        assert bool(view.lines) == is_told


@each("way", ["knows_not", "blank", "expires"])
def test_an_earlier_answer_is_compared_in_the_same_words(way: str) -> None:
    knows_not = Move("answer", no_attempt=True, kept=True)
    moves: dict[str, list[str | Move]] = {
        "knows_not": [knows_not],
        "blank": ["NOT_GRADABLE"],
        "expires": [knows_not] * 3,
    }
    walk = Walker(lesson()).play("UNSURE", *moves[way])
    if way != "expires":
        walk.play("compare")
    view = told(walk)
    assert (view.headline, view.text, view.tone) == ("Compare your answer with this one.", "", "calm")
    assert "Water and light." in view.expected


def test_a_verdict_from_before_is_told_as_it_was() -> None:
    view = after(unsure(provenance=None, feedback="Nearly!"), TopicDeviation.ON_TOPIC)
    assert (view.headline, view.text, view.tone) == (
        "You're on the right track: part of it is right.",
        "Nearly!",
        "partial",
    )
    closed = once_closed(Judged(lesson().ask("a"), unsure(provenance=None), "en"))
    assert closed[-1].sort == "doubt"


def test_what_was_said_of_the_answer_stays_after_a_hint() -> None:
    walk = Walker(lesson()).play(Move("answer", kept=True))
    before = told(walk)
    assert told(walk.play("hint")) == before


@pytest.mark.parametrize("mode", list(Mode))
def test_what_the_notice_asks_for_is_not_asked_for_twice(mode: Mode) -> None:
    assert after(unsure(), TopicDeviation.ON_TOPIC, mode=mode).move == ""


@each(
    ("answer", "advises"),
    [({"kind": "open", "accepted": ["Water."]}, True), ({"kind": "list", "items": [["water"], ["light"]]}, False)],
)
def test_another_try_is_asked_for_where_nothing_else_says_what_to_do(answer: dict[str, object], advises: bool) -> None:
    plan = outline([ask("a", answer=answer)])
    judged = verdict("PARTIAL", provenance="rules", rule=f"{answer['kind']}.some", details={"missing": 1})
    _, state = verdict_count(plan, machine.begin(plan), Mode.ADAPTIVE, judged, ON_TOPIC)
    assert state.notice is not None
    assert state.notice.command is not None
    assert state.notice.command.op == "reask"
    view = notice_view(plan, state)
    assert view is not None
    assert view.move == ("Look at what the question asks for and try once more." if advises else "")
    assert bool(view.lines) != advises
