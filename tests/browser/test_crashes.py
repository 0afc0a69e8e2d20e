"""The server is killed in the middle of a turn: the session stays usable, the answer counts once, the chain is whole.

No product code helps: a lock held by the test makes the turn wait at the place where it is to be cut off.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.learner import ANSWERS, Learner
from tests.browser.server import CELERY, WORKER, Server, until

pytestmark = pytest.mark.hard
CUT_OFF = ("net::ERR", "htmx:sendError", "htmx:afterRequest")
# What the turn needs next at each place, taken from it. PostgreSQL finishes a commit it has begun without the server.
# Judging needs nothing of the database, and what it leaves is what a rolled-back outcome leaves: the claim.
CLAIM = "LOCK TABLE lesson_engine_turn IN EXCLUSIVE MODE"
CLAIM_COMMIT = "SELECT 1 FROM lesson_engine_session WHERE id = %s::uuid FOR UPDATE"
OUTCOME = "SELECT 1 FROM telemetry_chain WHERE key = %s FOR UPDATE"
WAITING = "SELECT pid FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
ANSWERED = "SELECT state, takes FROM lesson_engine_turn WHERE session_id = %s::uuid AND kind = 'answer'"
LEASE_OVER = """
UPDATE lesson_engine_turn SET lease_until = now() - interval '1 second'
WHERE session_id = %s::uuid AND state = 'running'
"""
LEASE_LONG = LEASE_OVER.replace("now() - interval '1 second'", "now() + interval '5 minutes'")
"""A server that starts slowly would find the lease over."""
TAKE_UP = "from config.celery_app import app; app.send_task('lesson_engine.tasks.take_up_turns')"


@pytest.fixture
def guest(visit: Visit) -> Learner:
    """A guest before an open question, with a wrong answer written down."""
    guest = visit(expects=CUT_OFF, reduced_motion="reduce")
    guest.start()
    guest.read_to_question()
    guest.fill(ANSWERS[guest.code]["wrong"][0])
    return guest


def session_of(learner: Learner) -> str:
    return learner.page.url.rstrip("/").split("/")[-1]


def cut_off(server: Server, learner: Learner, lock: str) -> None:
    """Send the answer, kill the server when its turn waits for the lock, and start it again."""
    session = session_of(learner)
    with server.connection() as holder:
        holder.autocommit = False
        holder.execute(lock.encode(), [session] if "%s" in lock else None)
        learner.form.get_by_role("button").click()
        until(lambda: server.rows(WAITING, holder.info.backend_pid), "the turn waits")
        server.kill()
        holder.rollback()
    until(lambda: server.rows(OTHERS) == [(0,)], "the killed server's connections are gone")
    expect(learner.page.get_by_role("alert")).to_be_visible()
    server.start()


def assert_counted_once(server: Server, learner: Learner) -> None:
    expect(learner.page.locator(".attempt")).to_have_text("Attempt 2 of 3")
    assert [state for state, _ in server.rows(ANSWERED, session_of(learner))] == ["done"]
    assert "whole" in server.manage("audit_verify", "--chain", session_of(learner))
    learner.answer_right()
    assert learner.phase == "closed"


@pytest.mark.parametrize(
    ("lock", "left"),
    [(CLAIM, []), (CLAIM_COMMIT, [("running", 1)]), (OUTCOME, [("running", 1)])],
    ids=["before the claim", "committing the claim", "writing the outcome"],
)
def test_the_same_form_sent_again_counts_once(
    guest: Learner, server: Server, lock: str, left: list[tuple[str, int]]
) -> None:
    cut_off(server, guest, lock)
    assert server.rows(ANSWERED, session_of(guest)) == left
    server.change(LEASE_OVER, session_of(guest))
    guest.send()
    assert server.rows(ANSWERED, session_of(guest)) == [("done", 2 if left else 1)]
    assert_counted_once(server, guest)


def test_a_worker_takes_up_what_a_killed_server_left(guest: Learner, server: Server) -> None:
    cut_off(server, guest, OUTCOME)
    server.change(LEASE_OVER, session_of(guest))
    with server.background(*WORKER):
        server.run("-c", TAKE_UP)
        until(lambda: server.rows(ANSWERED, session_of(guest)) == [("done", 2)], "the worker takes the turn up")
        until(lambda: server.get("/readyz") == 200, "the server is ready with its worker")
    guest.page.reload()
    assert_counted_once(server, guest)


def test_beat_and_worker_find_the_turn_when_its_lease_is_over(guest: Learner, server: Server) -> None:
    cut_off(server, guest, OUTCOME)
    with server.background(*WORKER), server.background(*CELERY, "beat", "--pidfile", ""):
        until(lambda: server.rows(ANSWERED, session_of(guest)) == [("done", 2)], "beat has the turn taken up")
    guest.page.reload()
    assert_counted_once(server, guest)


def test_another_answer_meanwhile_waits_for_the_one_that_was_cut_off(guest: Learner, server: Server) -> None:
    cut_off(server, guest, OUTCOME)
    server.change(LEASE_LONG, session_of(guest))
    guest.page.reload()
    looking_again = guest.page.locator(".notice[hx-get]")
    expect(looking_again).to_be_visible()
    other = "Porque sin plantas no hay comida"
    guest.field.fill(other)
    guest.form.get_by_role("button").click()
    expect(looking_again).to_be_focused()
    expect(guest.field).to_have_value(other)
    guest.field.focus()
    with guest.page.expect_response(lambda response: response.request.method == "GET"):
        pass  # the page asks by itself
    expect(guest.field).to_be_focused()
    expect(guest.field).to_have_value(other)
    server.change(LEASE_OVER, session_of(guest))
    expect(looking_again).to_have_count(0)  # found by asking, without a click
    expect(guest.page.locator(".notice").first).to_be_focused()
    expect(guest.field).to_have_value(other)
    assert_counted_once(server, guest)
