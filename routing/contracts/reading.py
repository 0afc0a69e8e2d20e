"""What a classifier found in a message, before anything is decided on it."""

from typing import Literal

from pydantic import Field

from core.contracts import Contract

Certainty = Literal["low", "medium", "high"]


class DomainScore(Contract):
    """A domain of the pack: its share of the evidence, 0 to 1; the shares of all domains sum to 1."""

    domain: str
    share: float = Field(ge=0, le=1)


class Nearest(Contract):
    """An example of the pack that is near to the message; `similarity` is a cosine."""

    domain: str
    label: str
    text: str
    similarity: float


class Found(Contract):
    """A keyword of the pack that stands in the message, as the pack spells it."""

    domain: str
    keyword: str


class Reading(Contract):
    """The domains, the likeliest first, and how sure that is.

    `probability` is calibrated: how often the first domain is right where it says so; a message that belongs to no
    domain has none that is right. `in_scope` is the probability that it belongs to one at all. `certainty` is the
    probability cut into three. `margin` is the first share less the second. `agree`: both signals, embeddings and
    words, have the same first domain. `nearest` and `found` are what decided, the strongest first.
    """

    language: str
    scores: tuple[DomainScore, ...]
    label: str
    probability: float = Field(ge=0, le=1)
    in_scope: float = Field(ge=0, le=1)
    certainty: Certainty
    margin: float = Field(ge=0, le=1)
    similarity: float
    agree: bool
    nearest: tuple[Nearest, ...] = ()
    found: tuple[Found, ...] = ()

    @property
    def first(self) -> str:
        """The likeliest domain."""
        return self.scores[0].domain

    def share_of(self, domain: str) -> float:
        """The share of a domain; 0 for one that the pack does not have."""
        return next((score.share for score in self.scores if score.domain == domain), 0.0)
