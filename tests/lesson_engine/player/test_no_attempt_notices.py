"""What a learner is told who did not try: kind, short, and with a way on."""

from lesson_engine.adaptation.deviation_rules import OF_NO_ATTEMPT
from lesson_engine.contracts import TopicDeviation
from lesson_engine.explanations import rule_in_words
from lesson_engine.explanations.notices import NoticeView, notice_view
from lesson_engine.player import machine
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask
from tests.lesson_engine.player.walks import outline, verdict

SCOLDING = ("wrong", "bad", "must", "should", "stop", "rude", "language", "never", "don't", "not allowed", "behave")


def told(kind: str) -> NoticeView:
    lesson = outline([ask()])
    judged = verdict(no_attempt=True, rule=f"attempt.{kind}", score=0)
    state = machine.record_verdict(lesson, machine.begin(lesson), judged, TopicDeviation.VAGUE)
    view = notice_view(lesson, state)
    assert view is not None
    return view


@each("kind", OF_NO_ATTEMPT)
def test_it_is_calm_short_and_leads_on(kind: str) -> None:
    view = told(kind)
    assert view.tone == "calm"
    assert len(view.headline) < 80
    assert not [word for word in SCOLDING if word in view.headline.lower().split()]
    assert "hint" in view.text
    assert view.why is not None
    assert view.why.words == rule_in_words(verdict(rule=f"attempt.{kind}"))


@each("kind", [kind for kind, deviation in OF_NO_ATTEMPT.items() if deviation is TopicDeviation.OFF_TOPIC])
def test_what_strays_costs_nothing_at_first_and_no_rule_says_otherwise(kind: str) -> None:
    lesson = outline([ask()])
    judged = verdict(no_attempt=True, rule=f"attempt.{kind}", score=0, provenance="rules")
    state = machine.record_verdict(lesson, machine.begin(lesson), judged, TopicDeviation.OFF_TOPIC)
    view = notice_view(lesson, state)
    assert view is not None
    assert view.text.endswith("This time it costs nothing.")
    assert view.why is not None
    assert "attempt" not in view.why.words
    again = notice_view(lesson, machine.record_verdict(lesson, state, judged, TopicDeviation.OFF_TOPIC))
    assert again is not None
    assert "costs nothing" not in again.text


def test_each_kind_has_words_of_its_own() -> None:
    headlines = {told(kind).headline for kind in OF_NO_ATTEMPT}
    reasons = {rule_in_words(verdict(rule=f"attempt.{kind}")) for kind in OF_NO_ATTEMPT}
    assert len(headlines) == len(reasons) == len(OF_NO_ATTEMPT)
