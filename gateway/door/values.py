"""What goes through the door: messages in, replies with what they cost out."""

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
