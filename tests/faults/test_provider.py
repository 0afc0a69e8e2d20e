"""The provider of models is slow, cuts its answers, and lies about usage: turns end, and no account is overspent."""

import json

import pytest

from benchmarks.doubt import OPINION
from tests.faults.learner import Learner
from tests.faults.site import Site
from tests.provider import Behaviour, Used, cuts, garbage, hangs, no_usage, overlong, says, trickles, wrong_shape

pytestmark = pytest.mark.faults
HUGE = 10**15
LAST = """
SELECT outcome, unverified, cost <= amount, cost + overrun > amount FROM gateway_hold ORDER BY reserved_at DESC LIMIT 1
"""


def usage(value: object) -> Behaviour:
    """An answer whose usage is `value`, which need not make sense."""
    message = {"role": "assistant", "content": OPINION}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "o3-mini",
        "choices": [choice],
        "usage": value,
    }
    return Behaviour(body=json.dumps(body).encode())


@pytest.mark.parametrize("behaviour", [hangs(), trickles(0.5)], ids=["silent", "byte by byte"])
def test_slow(site: Site, learner: Learner, behaviour: Behaviour) -> None:
    """Longer than a turn waits for a model."""
    site.provider.next(behaviour)
    learner.answer()
    assert site.rows(LAST) == [("timed_out", True, True, False)]
    learner.assert_counted()
    site.assert_whole()


@pytest.mark.parametrize("behaviour", [cuts(), garbage(), wrong_shape()], ids=["cut", "garbage", "wrong shape"])
def test_cut_in_its_answer(site: Site, learner: Learner, behaviour: Behaviour) -> None:
    site.provider.next(behaviour)
    learner.answer()
    learner.assert_counted()
    site.assert_whole()


@pytest.mark.parametrize(
    "behaviour",
    [
        says(OPINION, used=Used(HUGE, HUGE)),
        says(OPINION, used=Used(0, 0)),
        says(OPINION, used=Used(10, 10, cached=HUGE, reasoning=HUGE)),
        usage({"prompt_tokens": -HUGE, "completion_tokens": -1, "total_tokens": -1}),
        usage({"prompt_tokens": 1e300, "completion_tokens": "many", "total_tokens": None}),
        usage({"prompt_tokens": 2**80, "completion_tokens": 2**80, "total_tokens": 2**81}),
        usage(["no", "usage"]),
        no_usage(OPINION),
        overlong(100),
    ],
    ids=[
        "huge",
        "nothing",
        "parts above the whole",
        "negative",
        "no numbers",
        "too large",
        "a list",
        "none",
        "overlong",
    ],
)
def test_lying_about_usage(site: Site, learner: Learner, behaviour: Behaviour) -> None:
    site.provider.next(behaviour)
    learner.answer()
    learner.assert_counted()
    site.assert_whole()
