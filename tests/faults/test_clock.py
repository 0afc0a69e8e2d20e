"""The clock of web, worker and beat jumps an hour; a day and a month end between a hold and its settlement."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.browser.server import until
from tests.faults.conftest import VAR
from tests.faults.learner import Learner
from tests.faults.postgres import Postgres
from tests.faults.site import Site
from tests.provider import hangs

pytestmark = pytest.mark.faults
LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
HOUR = 3600
RUNNING = "SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'"
HEARD = "SELECT 1 FROM core_heartbeat"
ACCOUNTS = """
SELECT account.scope, account.key, account.held, account.spent > 0 FROM gateway_account AS account
JOIN gateway_entry AS entry ON entry.account_id = account.id
JOIN gateway_hold AS hold ON hold.id = entry.hold_id
WHERE hold.chain = %s AND entry.kind = 'settle' AND account.scope IN ('guests_day', 'agent_month')
ORDER BY hold.reserved_at DESC, account.scope DESC LIMIT 2
"""


class Clock:
    """The time of all processes of a site but PostgreSQL, as `faketime` makes it."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.jump(0)

    def jump(self, seconds: float) -> None:
        """So many seconds before or after the right time, from now on."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+.0f}\n")
        new.replace(self._file)


@pytest.fixture(scope="module")
def clock() -> Clock:
    if not LIBRARIES:
        pytest.skip("libfaketime is not installed (Debian: libfaketime)")
    return Clock(VAR / "faketime")


@pytest.fixture(scope="module")
def _site_of_module(cluster: Postgres, clock: Clock) -> Iterator[Site]:
    """A site whose processes read the time from a file; intervals (`time.monotonic`) go on as they are."""
    wrong = {"LD_PRELOAD": str(LIBRARIES[0]), "FAKETIME_TIMESTAMP_FILE": str(VAR / "faketime")}
    with Site(cluster, VAR, "clock", **wrong, FAKETIME_NO_CACHE="1", FAKETIME_DONT_FAKE_MONOTONIC="1") as site:
        yield site


@pytest.fixture(autouse=True)
def _right_again(clock: Clock) -> Iterator[None]:
    clock.jump(0)
    yield
    clock.jump(0)


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["forward", "back"])
def test_clock_jumps_while_the_model_is_asked(site: Site, learner: Learner, clock: Clock, seconds: int) -> None:
    """Beat and worker believe it too: after a jump forward they take the turn up and charge the call as lost."""
    site.work()
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    step = learner.write()
    sending = learner.sending(step)
    site.provider.wait_calls(calls + 1)
    clock.jump(seconds)
    for task in ("lesson_engine.tasks.take_up_turns", "gateway.tasks.expire_holds"):
        site.task_send(task)
    if seconds > 0:
        until(lambda: site.rows(RUNNING) == [(0,)], "the worker takes the turn up")
    site.provider.release()
    assert sending.result().status_code == 200
    learner.assert_counted()
    clock.jump(0)
    learner.assert_counted()
    site.assert_whole()


def test_turn_of_a_dead_process_is_taken_up_when_its_clock_was_an_hour_ahead(
    site: Site, learner: Learner, clock: Clock
) -> None:
    clock.jump(HOUR)
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    learner.sending(learner.write())
    site.provider.wait_calls(calls + 1)
    site.web().kill()
    clock.jump(0)
    site.start()
    learner.look()
    assert site.rows(RUNNING) == [(0,)]
    learner.assert_counted()
    site.assert_whole()


@pytest.mark.parametrize("seconds", [HOUR, -HOUR], ids=["forward", "back"])
def test_beat_and_worker_go_on_when_the_clock_jumps(site: Site, clock: Clock, seconds: int) -> None:
    site.work()
    site.change("DELETE FROM core_heartbeat")
    site.fork("beat")
    until(lambda: site.rows(HEARD), "beat sends", 60)
    clock.jump(seconds)
    site.change("DELETE FROM core_heartbeat")
    until(lambda: site.rows(HEARD), "beat still sends", 60)
    site.assert_whole()


@pytest.mark.parametrize("ends", ["day", "month"])
def test_midnight_between_hold_and_settlement(site: Site, learner: Learner, clock: Clock, ends: str) -> None:
    """The day and the month of the hold pay, and the next call is paid by the new ones."""
    now = datetime.now(UTC)
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if ends == "month":
        midnight = (midnight.replace(day=1) + timedelta(days=32)).replace(day=1)
    clock.jump((midnight - now).total_seconds() - HOUR)
    learner.look()
    clock.jump((midnight - datetime.now(UTC)).total_seconds() - 30)
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    sending = learner.sending(learner.write())
    site.provider.wait_calls(calls + 1)
    clock.jump((midnight - datetime.now(UTC)).total_seconds() - 1)
    clock.jump((midnight - datetime.now(UTC)).total_seconds() + 2)
    site.provider.release()
    assert sending.result().status_code == 200
    before = midnight - timedelta(days=1)
    assert site.rows(ACCOUNTS, learner.session) == paid_on(before)
    learner.assert_counted()
    assert site.rows(ACCOUNTS, learner.session) == paid_on(midnight)
    clock.jump(0)
    site.assert_whole()


def paid_on(day: datetime) -> list[tuple[str, str, int, bool]]:
    return [("guests_day", f"{day:%Y-%m-%d}", 0, True), ("agent_month", f"tutor:{day:%Y-%m}", 0, True)]
