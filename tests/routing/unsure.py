"""Messages of which the router is unsure, whichever coefficients it has at the moment."""

from functools import cache

from routing.router import Router
from routing.understanding.deciding import Wishes, decide

SURE = ("¿Es buen momento para solicitar excedencia en CGI?", "How much VAT do I charge on my invoice?")
_CANDIDATES = (
    "What about the money?",
    "I keep forgetting everything",
    "Which one would you take?",
    "my partner wants out",
    "¿Y lo del otro día?",
    "How do I get more?",
    "¿Cuánto me queda?",
    "they never answer",
    "is it worth the effort with these people?",
    "¿Qué le digo al del banco?",
)


@cache
def unsure() -> str:
    """One that has words, is low by them, and is medium when a model names the domain that they come nearest to."""
    for message in _CANDIDATES:
        routed = Router().routed(message)
        first = routed.reading.first
        if routed.plan.confidence == "low" and decide(routed.reading, Wishes(), opinion=first).confidence == "medium":
            return message
    raise AssertionError("no candidate is unsure: add another one")
