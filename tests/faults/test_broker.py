"""Messages of the broker are lost, doubled, or come in another order: the work is done, and once."""

import pytest

from tests.browser.server import until
from tests.faults.learner import Learner
from tests.faults.site import Site, Work

pytestmark = pytest.mark.faults
LOST = "DELETE FROM kombu_message WHERE visible"
DOUBLED = """
INSERT INTO kombu_message (id, visible, timestamp, payload, version, queue_id)
SELECT nextval('message_id_sequence'), visible, timestamp, payload, version, queue_id
FROM kombu_message, generate_series(1, 4) WHERE visible
"""
REORDERED = "UPDATE kombu_message SET timestamp = now() - id * interval '1 second' WHERE visible"
WAITING = "SELECT count(*) FROM kombu_message WHERE visible"


@pytest.mark.parametrize("statement", [LOST, DOUBLED, REORDERED], ids=["lost", "doubled", "reordered"])
def test_messages(site: Site, work_left: Work, statement: str) -> None:
    for task in work_left.tasks:
        site.task_send(task)
    assert site.rows(WAITING)[0][0] >= len(work_left.tasks)
    site.change(statement)
    workers = [site.work(), site.work()]
    if statement == LOST:
        assert site.rows(WAITING) == [(0,)]
        site.fork("beat")
    work_left.wait_done()
    until(lambda: site.rows(WAITING) == [(0,)] or statement == LOST, "all messages were taken")
    assert all(worker.is_alive() for worker in workers)
    work_left.assert_once()
    site.assert_whole()


def test_a_broker_that_is_away_keeps_no_learner_waiting(site: Site, learner: Learner) -> None:
    """Celery's tables are gone: what the web sends to its worker fails, and beat's later messages do the work."""
    site.change("ALTER TABLE kombu_message RENAME TO kombu_gone")
    try:
        learner.answer()
    finally:
        site.change("ALTER TABLE kombu_gone RENAME TO kombu_message")
    learner.assert_counted()
    site.assert_whole()
