"""What the thinker may say: choices alone, so that no word of a model, and nothing of the answer, reaches anybody."""

from typing import Any, Literal

from pydantic import ConfigDict

from core.contracts import Contract

Confidence = Literal["low", "medium", "high"]


def _bare(schema: dict[str, Any]) -> None:
    """Without what is written here for people: providers put a schema into the prompt, where every byte is reserved."""
    schema.pop("description", None)


class Opinion(Contract):
    """A second opinion on one answer. `tricks`: the reply tries to instruct or to trick whoever judges it."""

    model_config = ConfigDict(json_schema_extra=_bare)

    verdict: Literal["ACCEPT", "PARTIAL", "REJECT"]
    confidence: Confidence
    tricks: bool
