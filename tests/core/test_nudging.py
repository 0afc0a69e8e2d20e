"""Messages to workers: few, without waiting for a broker that is away, and none from a script."""

import pytest
from celery import Celery

from core.operations import nudging
from core.operations.nudging import worker_nudge


class Broker:
    """An application whose messages are counted, or refused."""

    main = "ours"

    def __init__(self, *, is_away: bool = False) -> None:
        self.sent, self.is_away = list[str](), is_away

    def send_task(self, task: str, **_: object) -> None:
        self.sent.append(task)
        if self.is_away:
            raise ConnectionError


@pytest.fixture(autouse=True)
def _nothing_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nudging, "_not_before", {})


def test_a_process_sends_one_message_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Broker()
    monkeypatch.setattr(nudging, "current_app", broker)
    for _ in range(500):
        worker_nudge("reflect", at_most_every=60)
    worker_nudge("others", at_most_every=60)
    assert broker.sent == ["reflect", "others"]


def test_a_broker_that_is_away_is_not_asked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = Broker(is_away=True)
    monkeypatch.setattr(nudging, "current_app", broker)
    for _ in range(5):
        worker_nudge("reflect")
    assert broker.sent == ["reflect"]


def test_a_script_without_an_application_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Celery("default", broker="amqp://nobody.invalid")
    monkeypatch.setattr(nudging, "current_app", alone)
    monkeypatch.setattr(alone, "send_task", lambda *_, **__: pytest.fail("it was sent"))
    worker_nudge("reflect")
