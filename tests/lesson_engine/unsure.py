"""Answers of which the grader is not sure, whatever the grader of today says of them."""

from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session, Turn
from lesson_engine.player.state import PlayerState
from lesson_engine.selectors import session_turns_page
from lesson_engine.services.answering import verdict_count
from lesson_engine.timeline.replay import replay
from tests.lesson_engine.player.walks import unsure


def make_unsure(session: Session, **changes: object) -> Session:
    """The session as if the grader had not been sure of its last turn, an answer; `changes` are to that verdict."""
    return make_judged(session, unsure(**changes))


def make_judged(session: Session, verdict: Verdict, deviation: TopicDeviation = TopicDeviation.ON_TOPIC) -> Session:
    """The session as if its last turn, an answer, had got this verdict. Its events stay those of the former one."""
    turn, command, after = _counted(session, verdict, deviation)
    turn.result, turn.deviation = verdict.result.value, deviation.value
    turn.verdict = verdict.model_dump(mode="json", exclude_defaults=True)
    turn.command = command.model_dump(mode="json", by_alias=True, exclude_none=True) if command else None
    turn.save()
    return _put(session, after)


def move_unsure(session: Session) -> Session:
    """The session where it would be had the grader not been sure of its last turn, an answer, which stays as it is."""
    _, _, after = _counted(session, unsure(), TopicDeviation.ON_TOPIC)
    return _put(session, after)


def _counted(
    session: Session, verdict: Verdict, deviation: TopicDeviation
) -> tuple[Turn, AdaptCommand | None, PlayerState]:
    outline, page = outline_of(session.lesson_version_id), session_turns_page(session, 1)
    *_, last = replay(outline, page.turns, page.voided, page.reviews)
    assert last.before is not None
    assert last.turn.kind == Turn.Kind.ANSWER
    command, after = verdict_count(outline, last.before, last.turn.mode, verdict, deviation)
    return Turn.objects.get(pk=last.turn.pk), command, after


def _put(session: Session, state: PlayerState) -> Session:
    Session.objects.filter(pk=session.pk).update(state=state.model_dump(mode="json", exclude_defaults=True))
    return Session.objects.select_related("lesson").get(pk=session.pk)
