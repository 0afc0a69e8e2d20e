"""How many tokens a request can have at most, without knowing the model's tokenizer."""

from collections.abc import Sequence

from gateway.door.values import Message

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
