"""Web, worker and beat as `make run` starts them, behind a proxy to a PostgreSQL of their own, with a provider."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import psycopg

from benchmarks.doubt import OPINION, QUESTIONS, Question
from benchmarks.servers import UNLIMITED
from config.launcher import checks, child
from tests.browser.server import PROJECT, Server, until
from tests.faults.postgres import Postgres
from tests.faults.proxy import HOST, Proxy
from tests.provider import Provider, says

DATABASE = "andamio"
_WRONG = "Las plantas duermen con la luz"
_STEP = {
    **QUESTIONS[1].step,
    "misconceptions": [{"code": "dormir", "examples": [_WRONG], "feedback": "Las plantas no duermen."}],
}
_BOTH = f"{_STEP['answer']['accepted'][0]} {_WRONG}"
QUESTION = Question("faults", "One that is answered with a right and a wrong idea at once", _STEP, _BOTH)
"""Asked again and again; each answer leaves the grader in doubt, so in adaptive mode it is one call of the thinker."""
_PLENTY = "100000000"
SETTINGS = {
    **dict.fromkeys(("GUESTS_DAY_BUDGET_CENTS", "USER_DAY_BUDGET_CENTS", "AGENT_MONTH_BUDGET_CENTS"), _PLENTY),
    **UNLIMITED,
}

_LATER = """
UPDATE lesson_engine_turn SET lease_until = now() - interval '1 second' WHERE state = 'running';
UPDATE gateway_hold SET expires_at = now() - interval '1 second' WHERE state IN ('held', 'dispatched')
"""
# Turns and calls that nobody ended, evaluations of a lesson, and reflections on them.
_LEFT = """
SELECT (SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'),
       (SELECT count(*) FROM gateway_hold WHERE state IN ('held', 'dispatched')),
       count(DISTINCT evaluation.id), count(pending.id) FILTER (WHERE pending.state = 'done')
FROM lesson_engine_sessionplan AS plan
JOIN evaluation_evaluation AS evaluation ON evaluation.plan_id = plan.plan_id
LEFT JOIN evaluation_pendingreflection AS pending ON pending.evaluation_id = evaluation.id
WHERE plan.session_id = %s::uuid
"""
_SEND = "from config.celery_app import app; import sys; app.send_task(sys.argv[1])"
_FINISH = """
from accounts.services import guest_create
from lesson_engine.errors import ActionNotPossible
from lesson_engine.models import Lesson
from lesson_engine.services.sessions import session_start
from lesson_engine.services.turns import session_answer, session_continue
from lesson_engine.services.words import reply_dont_know
session = session_start(user=guest_create(), lesson=Lesson.objects.get(slug="light"))
while session.status == "active":
    turn = {"session": session, "version": session.version, "key": str(session.version)}
    try:
        session = session_continue(**turn)
    except ActionNotPossible:
        session = session_answer(**turn, reply=reply_dont_know("en"))
print(session.pk)
"""
_EXPIRE = "from gateway import ledger; ledger.expire()"
_RUNNING = "SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'"
_OPEN = "SELECT count(*) FROM gateway_hold WHERE state IN ('held', 'dispatched')"
_SENT = "SELECT count(*) FROM gateway_hold WHERE dispatched_at IS NOT NULL"
# Every answer moved its session once, and is told of once.
_UNEVEN = """
SELECT session.id, session.version, turns.done, events.told
FROM lesson_engine_session AS session
CROSS JOIN LATERAL (
    SELECT count(*) AS done, count(*) FILTER (WHERE kind = 'answer') AS answers
    FROM lesson_engine_turn WHERE session_id = session.id AND state = 'done'
) AS turns
CROSS JOIN LATERAL (
    SELECT count(*) AS told FROM telemetry_event WHERE chain_id = session.id::text AND event = 'evaluation.result'
) AS events
WHERE session.version <> turns.done OR events.told <> turns.answers
"""


class Work:
    """What dead processes and finished lessons left to the background."""

    tasks = (
        "lesson_engine.tasks.take_up_turns",
        "gateway.tasks.expire_holds",
        "lesson_engine.tasks.evaluate_goals",
        "reflection.tasks.reflect",
    )

    def __init__(self, site: "Site", session: str) -> None:
        self._site, self._session = site, session

    def wait_done(self) -> None:
        until(lambda: self._site.rows(_LEFT, self._session) == [(0, 0, 1, 1)], "the work that was left is done", 120)

    def assert_once(self) -> None:
        """The finished lesson was evaluated once, and its failure reflected on once."""
        assert self._site.rows(_LEFT, self._session) == [(0, 0, 1, 1)]


class Process:
    """A forked process, which is not a child of ours."""

    def __init__(self, pid: int) -> None:
        self.pid, self._process = pid, psutil.Process(pid)

    def is_alive(self) -> bool:
        return bool(self._process.is_running())

    def kill(self) -> None:
        """Kill -9, and return when it is gone."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """As a deployment ends it."""
        self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            self._process.send_signal(number)
            self._process.wait(30)


class Zygote:
    """Makes processes that have loaded everything already; see `tests.faults.zygote`."""

    def __init__(self, environment: dict[str, str], port: int, log: Path) -> None:
        self._socket = checks.bound_to((HOST, port), socket.AF_INET)
        lifeline, self._lifeline = os.pipe()
        inherited = {child.LIFELINE: lifeline, child.SOCKET: self._socket.fileno()}
        self.log = log
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.zygote"],
                cwd=PROJECT,
                env={**environment, **{name: str(number) for name, number in inherited.items()}},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                pass_fds=tuple(inherited.values()),
            )
        os.close(lifeline)
        self._is_ready = False

    def fork(self, role: str) -> Process:
        """A new web, worker or beat."""
        if not self._is_ready:
            self._read()
            self._is_ready = True
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"role": role, "log": str(self.log)}) + "\n")
        self._process.stdin.flush()
        return Process(int(self._read()))

    def close(self) -> None:
        """End it, and with its lifeline everything that it made."""
        os.close(self._lifeline)
        self._process.kill()
        self._process.wait()
        self._socket.close()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the zygote ended; see {self.log}"
        return json.loads(line)


class Site(Server):
    """What a test breaks. Its processes reach PostgreSQL through `proxy` alone; the test looks past it."""

    def __init__(self, cluster: Postgres, var: Path, name: str, **variables: str) -> None:
        """`variables` are further ones of the environment of all its processes."""
        self.cluster, self.proxy, self.provider = cluster, Proxy(cluster.port), Provider()
        self.anchors = var / f"{name}.anchors"
        shutil.rmtree(self.anchors, ignore_errors=True)
        own = {"OPENAI_BASE_URL": self.provider.url, "OPENAI_API_KEY": "faults", "AUDIT_ANCHORS": str(self.anchors)}
        super().__init__(cluster.url(port=self.proxy.port), DATABASE, var, **SETTINGS, **own, **variables)
        self.log = var / f"{name}.log"
        self.log.unlink(missing_ok=True)
        self.provider.always(says(OPINION))
        self.zygote = Zygote(self.environment(), self.port, self.log)
        self.processes: list[Process] = []
        self._elsewhere = 0

    def __enter__(self) -> "Site":
        self.proxy.__enter__()
        self.provider.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.end_all()
        self.end_helper()
        self.zygote.close()
        self.provider.__exit__(None, None, None)
        self.proxy.__exit__()

    def stand_on(self, cluster: Postgres) -> None:
        """From now on this is its database. The anchors of each database stay with it."""
        if cluster is not self.cluster:
            for kept, place in ((self.anchors, self.cluster.anchors), (cluster.anchors, self.anchors)):
                if kept.exists():
                    shutil.move(kept, place)
        self.cluster, self.proxy.target = cluster, cluster.port
        self.proxy.reset()
        self._elsewhere = len(self.provider.calls) - self.rows(_SENT)[0][0]

    @contextlib.contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(self.cluster.url(DATABASE), autocommit=True) as connection:
            yield connection

    # Processes

    def fork(self, role: str) -> Process:
        self.processes.append(self.zygote.fork(role))
        return self.processes[-1]

    def start(self) -> None:
        """A web process, once it answers."""
        self.fork("web")
        until(lambda: self.get("/healthz") == 200, f"the web answers; see {self.log}")

    def work(self) -> Process:
        """A worker, once it has said that it is there."""
        self.change("DELETE FROM core_heartbeat")
        worker = self.fork("worker")
        until(lambda: self.rows("SELECT 1 FROM core_heartbeat"), f"the worker is there; see {self.log}")
        return worker

    def web(self) -> Process:
        """The web process that is alive."""
        return self.processes[-1]

    def end_all(self) -> None:
        for process in self.processes:
            process.kill()
        self.processes.clear()

    # How each test ends

    def assert_whole(self) -> None:
        """After every fault: what was left behind is finished, nothing is stuck, and money and records are right."""
        self.proxy.disarm()
        self.leases_end()
        self.python(_EXPIRE)
        assert self.rows(_OPEN) == [(0,)], "calls are open"
        assert self.rows(_RUNNING) == [(0,)], "turns are stuck"
        assert self.rows(_UNEVEN) == [], "answers do not count once"
        assert len(self.provider.calls) - self._elsewhere <= self.rows(_SENT)[0][0], "a call had no hold"
        self.assert_proven()

    def assert_proven(self) -> None:
        """Ledger, audit, and what the anchors of this database know: those of the tests before, and one from now on."""
        assert "ledger ok" in self.manage("ledger_check")
        if self.anchors.exists():
            assert "all there" in self.manage("audit_verify", "--anchors")
        else:
            assert "whole" in self.manage("audit_verify")
        self.manage("audit_anchor")

    def task_send(self, name: str) -> None:
        """A message for the worker."""
        self.python(_SEND, name)

    def lesson_finish(self) -> str:
        """A guest knows no answer of a lesson whose goal is to know them; nobody tells the worker. The session.

        A worker has to evaluate it, and to reflect on the failure, which asks a model.
        """
        return self.python(_FINISH).strip()

    def leases_end(self) -> None:
        """Time passes for the turns and the calls that dead processes left."""
        for statement in _LATER.split(";"):
            self.change(statement)

    def errors(self) -> list[str]:
        """What its processes logged as errors."""
        return re.findall(r'^.*"level": "error".*$', self.log.read_text(), re.MULTILINE)
