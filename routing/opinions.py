"""What a language model says of a message that the router is unsure of: one more signal. Source: issue 8."""

from collections.abc import Callable
from typing import Any

from core.contracts import Contract
from routing.pack import Pack


class Opinion(Contract):
    """The domain that a model named; None where it named none, or could not be asked, which `warnings` then say."""

    domain: str | None = None
    model: str = ""
    warnings: tuple[str, ...] = ()


OpinionAsked = Callable[[str, Pack], Opinion]


def opinion_of_passed(llm: Any) -> OpinionAsked:
    """Asks a model that a caller passed in; its failure is a warning."""
    raise NotImplementedError
