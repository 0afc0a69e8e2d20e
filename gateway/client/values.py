"""Messages to a model, their size in tokens at most, and replies with what they cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel

from core.contracts import Contract
from gateway.contracts import Settled

Shape = TypeVar("Shape", bound=BaseModel)


class Message(Contract):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"] = "user"
    content: str


class Reply(Contract):
    """What a model said. `settled` are all requests of the call in their order, those that failed too."""

    text: str
    model: str
    settled: tuple[Settled, ...]


@dataclass(frozen=True)
class Structured(Generic[Shape]):
    """What a model said, as a value of the schema that was asked for; the rest is as in a `Reply`."""

    value: Shape
    model: str
    settled: tuple[Settled, ...]


_PER_MESSAGE = 16
_PER_REQUEST = 64


def chat_tokens_at_most(messages: Sequence[Message], schema_json: str = "") -> int:
    """Input tokens of a chat: no tokenizer in use makes more of a text than it has bytes in UTF-8.

    Roles and separators are a few tokens for each message. A schema is put into the prompt by the provider.
    """
    size = sum(_bytes(message.content) + _PER_MESSAGE for message in messages)
    return size + _bytes(schema_json) + _PER_REQUEST


def texts_tokens_at_most(texts: Sequence[str]) -> int:
    """Input tokens of texts to be embedded; each may get two of the model's own."""
    return sum(_bytes(text) + 2 for text in texts)


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))
