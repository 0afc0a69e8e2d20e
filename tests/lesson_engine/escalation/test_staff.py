"""What staff see of second opinions: in a session's timeline and where they look at verdicts."""

from django.test import Client
from django.urls import reverse

from accounts.models import User
from gateway.models import Account
from gateway.services import correct
from lesson_engine.models import Session
from lesson_engine.selectors import session_turns_page
from lesson_engine.timeline.trail import cents, session_trail, turn_named
from tests.each import each
from tests.lesson_engine.admin.conftest import desk
from tests.lesson_engine.escalation.conftest import PARTLY, SLY, account, answer, fresh, holds, last_turn, opinion
from tests.lesson_engine.learn.pages import parse
from tests.provider import Provider, no_usage

__all__ = ("desk",)


def turn_shown(desk: Client, session: Session) -> str:
    """The latest answer as the timeline shows it."""
    response = desk.get(reverse("admin:lesson_engine_session_change", args=[session.pk]))
    assert response.status_code == 200
    article = parse(response.content.decode()).one("article", id=f"turn-{last_turn(session).version}")
    return article.text()


def test_the_timeline_shows_the_opinion_what_it_did_and_what_it_cost(
    desk: Client, adaptive: Session, provider: Provider
) -> None:
    provider.always(opinion("ACCEPT", "medium"))
    answer(adaptive, PARTLY)
    text, cost = turn_shown(desk, adaptive), cents(account(adaptive).spent)
    assert "Not sure not_sure" in text, "an opinion of medium confidence leaves the doubt"
    assert "a second opinion was asked, and it is still not clear" in text
    assert "A second opinion said: Right (fairly sure). The rules had said: Not sure, by open.semantic." in text
    assert f"it changed the verdict by one step moved · {cost} ¢" in text
    assert text.count(f"{cost} ¢") == 2


def test_the_timeline_says_why_there_was_none(desk: Client, adaptive: Session, provider: Provider) -> None:
    Account.objects.filter(key=str(adaptive.pk)).update(escalations_used=5)
    answer(adaptive, PARTLY)
    assert provider.calls == []
    text = turn_shown(desk, adaptive)
    assert "the session had all it may have refused_escalations" in text
    assert "A second opinion said" not in text


def test_a_trick_that_the_thinker_saw_is_flagged(desk: Client, adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT", tricks=True))
    answer(adaptive, SLY)
    text = turn_shown(desk, adaptive)
    assert "looks like an attack" in text
    assert "it says that the answer tries to trick it" in text


def test_a_turns_cost_is_that_of_the_calls_that_name_it(adaptive: Session, provider: Provider) -> None:
    """The ledger writes before the turn's own events: by its place alone the cost would be the turn's before."""
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    first = last_turn(adaptive).version
    answer(adaptive, PARTLY)
    trail = session_trail(fresh(adaptive), session_turns_page(fresh(adaptive), 1))
    costs = [hold.cost for hold in holds(adaptive)]
    assert [trail.costs[first], trail.costs[first + 1]] == costs
    assert trail.spent == sum(cost or 0 for cost in costs) == account(adaptive).spent
    assert set(trail.escalations) == {first, first + 1}


def test_a_charge_that_staff_corrected_counts_as_corrected(adaptive: Session, provider: Provider, staff: User) -> None:
    provider.always(no_usage('{"verdict": "PARTIAL", "confidence": "high", "tricks": false}'))
    answer(adaptive, PARTLY)
    hold = holds(adaptive)[0]
    assert hold.unverified
    correct(hold_id=hold.pk, by=staff, reason="The bill says so.", cost=7)
    trail = session_trail(fresh(adaptive), session_turns_page(fresh(adaptive), 1))
    assert (trail.spent, trail.costs[last_turn(adaptive).version]) == (7, 7)


@each(
    ("subject", "turn"), [("turn:5", 5), ("", -1), (None, -1), ("turn:", -1), ("turn:x", -1), ("plan:5", -1), (7, -1)]
)
def test_a_subject_names_a_turn_or_it_does_not(subject: object, turn: int) -> None:
    assert turn_named(subject, -1) == turn
