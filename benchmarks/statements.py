"""The statements of a real turn, captured while a learner walks the demo lesson in this process."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchmarks.learner import Learner

PLANS = "ANDAMIO_BENCH_PLANS"
"""The environment variable that tells the floor's processes what to do."""
Plan = tuple[str, ...]
_WRITES = ("INSERT", "UPDATE")
FORM = "application/x-www-form-urlencoded"


def plans_of_turns() -> dict[str, Plan]:
    """For each kind of turn the verbs of its statements in order, with BEGIN and COMMIT; the most frequent form."""
    seen: dict[str, Counter[Plan]] = defaultdict(Counter)
    for kind, plan in _walk():
        seen[kind][plan] += 1
    return {kind: plans.most_common(1)[0][0] for kind, plans in seen.items()}


def plan_in_words(plan: Plan) -> str:
    """How many reads, writes and commits a plan has."""
    writes = sum(plan.count(verb) for verb in _WRITES)
    return f"{plan.count('SELECT')} reads, {writes} writes, {plan.count('COMMIT')} commits"


def _walk() -> Iterator[tuple[str, Plan]]:
    """One lesson from start to end, as (kind of turn, statements)."""
    browser, learner = Client(SERVER_NAME="127.0.0.1"), Learner(Random(1))
    while not learner.finished:
        step = learner.next_step()
        method = "GET" if step.body is None else "POST"
        with CaptureQueriesContext(connection) as captured:
            response = browser.generic(method, step.path, step.body or "", FORM, headers=dict(step.headers))
        learner.see(response.status_code, response.headers.get("Location", ""), response.content.decode())
        if step.kind in ("answer", "continue"):
            yield step.kind, tuple(_verb(query["sql"]) for query in captured.captured_queries)


def _verb(sql: str) -> str:
    """SELECT, INSERT, UPDATE, BEGIN or COMMIT. What writes inside a WITH is named by what it writes at its end."""
    words = sql.split()
    first = words[0].upper()
    if first == "WITH":
        return next(word for word in reversed(words) if word in _WRITES)
    return first
