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
    lesson = outline([ask(hints=["Look up."])])
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
    assert view.text.endswith("This time it costs no attempt.")
    assert view.why is not None
    assert "attempt" not in view.why.words
    again = notice_view(lesson, machine.record_verdict(lesson, state, judged, TopicDeviation.OFF_TOPIC))
    assert again is not None
    assert "costs no attempt" not in again.text


def test_each_kind_has_words_of_its_own() -> None:
    headlines = {told(kind).headline for kind in OF_NO_ATTEMPT}
    reasons = {rule_in_words(verdict(rule=f"attempt.{kind}")) for kind in OF_NO_ATTEMPT}
    assert len(headlines) == len(reasons) == len(OF_NO_ATTEMPT)


def after(asked: dict[str, object], *rules: str, **details: object) -> NoticeView:
    """The notice after replies that could not be graded, by their rules."""
    lesson = outline([asked], policy={"attempts": 5})
    state = machine.begin(lesson)
    for rule in rules:
        judged = verdict("NOT_GRADABLE", rule=rule, score=0, details=details)
        state = machine.record_verdict(lesson, state, judged, TopicDeviation.VAGUE)
    view = notice_view(lesson, state)
    assert view is not None
    return view


def test_a_hint_is_offered_only_where_there_is_one() -> None:
    lesson = outline([ask(hints=["Look up."])])
    judged = verdict(no_attempt=True, rule="attempt.dont_know", score=0)
    state = machine.record_verdict(lesson, machine.begin(lesson), judged, TopicDeviation.VAGUE)
    for shown, offered in ((state, True), (machine.show_hint(lesson, state), False)):
        view = notice_view(lesson, shown)
        assert view is not None
        assert ("hint" in view.text) == offered
        assert "a guess is a good start" in view.text


@each(
    ("rule", "kind", "text"),
    [
        ("attempt.empty", "open", "Nothing was written: answer with whatever comes to mind."),
        ("attempt.unreadable", "open", "Look at what the question asks for and try once more."),
        ("open.too_long", "open", "Say it in a sentence or two of your own."),
        (
            "numeric.wrong_form",
            "numeric",
            "The question asks for a number: write just that, with its unit if it has one.",
        ),
        ("grader.failed", "open", "Your answer could not be checked. Please send it once more."),
    ],
)
def test_what_could_not_be_graded_hears_what_to_do_and_what_it_cost(rule: str, kind: str, text: str) -> None:
    answer = {"kind": "numeric", "value": 6} if kind == "numeric" else {"kind": "open", "accepted": ["air"]}
    assert after(ask(answer=answer), rule).text == f"{text} This one did not count as an attempt."
    third = after(ask(answer=answer), rule, rule, rule).text
    assert third == f"{text} As the third in a row, it counts as an attempt, so that you do not get stuck."
