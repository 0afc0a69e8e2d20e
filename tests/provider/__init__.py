"""A small server that speaks OpenAI's protocol over real HTTP and misbehaves as a test tells it to.

    provider.always(says("Yes."))                          # all calls
    provider.next(fails(429, retry_after=1), hangs())      # the next two, whatever their model
    provider.next(wrong_schema(), model="o3-mini")         # that model's next
    provider.wait_calls(2)                                 # without polling
    provider.release()                                     # what hangs goes on
    provider.calls[0].body, provider.in_flight, provider.gone, provider.used

A model's own queue comes first, then the queue of all, then the model's default, then the default of all.
"""

from tests.provider.behaviour import (
    Behaviour,
    Used,
    cuts,
    fails,
    garbage,
    hangs,
    no_usage,
    overlong,
    says,
    trickles,
    wrong_schema,
    wrong_shape,
)
from tests.provider.server import Call, Provider

__all__ = (
    "Behaviour",
    "Call",
    "Provider",
    "Used",
    "cuts",
    "fails",
    "garbage",
    "hangs",
    "no_usage",
    "overlong",
    "says",
    "trickles",
    "wrong_schema",
    "wrong_shape",
)
