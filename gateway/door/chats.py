"""Calls to language models: an answer in words, in the form of a schema, or in pieces."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import BaseModel, ValidationError

from gateway.contracts import Outcome
from gateway.door.call import TRIES, Asked, Call, answer, answered, close_hold, opening, report_of
from gateway.door.candidates import Candidate
from gateway.door.steps import OverNetwork, Piece, Steps
from gateway.door.tokens import chat_tokens_at_most
from gateway.door.transport import Answer, ChatRequest, ChatStream, Failure, chat
from gateway.door.values import Message, Reply, Shape, Structured
from gateway.errors import SchemaNotMet

_FENCE = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_FAULTS_TOLD = 5
_REPLY_TOLD = 2_000


def replied(call: Call, messages: Sequence[Message], *, max_tokens: int, fallback: bool) -> Steps[Reply]:
    """An answer in words."""
    found, candidate = yield from answer(call, _asked(ChatRequest(messages, max_tokens)), fallback=fallback)
    return Reply(text=found.text, model=candidate.model, settled=tuple(call.settled))


def structured(
    call: Call, messages: Sequence[Message], schema: type[Shape], *, max_tokens: int, fallback: bool
) -> Steps[Structured[Shape]]:
    """An answer that fits the schema. One that does not is sent back once, with its faults. Raises `SchemaNotMet`."""
    wanted = (schema.__name__, strict_schema(schema))
    found, candidate = yield from answer(call, _asked(ChatRequest(messages, max_tokens, wanted)), fallback=fallback)
    try:
        return Structured(_parsed(schema, found.text), candidate.model, tuple(call.settled))
    except ValidationError as error:
        again = [*messages, *_sent_back(found.text, error)]
    call.tried = TRIES - 1  # one request for the repair, of the model that is to mend it
    repair = _asked(ChatRequest(again, max_tokens, wanted))
    found, candidate = yield from answer(call, repair, fallback=False, only=candidate)
    try:
        return Structured(_parsed(schema, found.text), candidate.model, tuple(call.settled))
    except ValidationError as error:
        raise SchemaNotMet(f"{candidate.model} gave no {schema.__name__}, nor when it was asked again.") from error


def streamed(call: Call, messages: Sequence[Message], *, max_tokens: int, fallback: bool) -> Steps[Reply]:
    """An answer in pieces, as they come. Until the first one, another try or model may begin anew."""
    request = ChatRequest(messages, max_tokens)

    def one_stream(call: Call, asked: Asked, candidate: Candidate) -> Steps[Answer]:
        opened = yield opening(call, asked, candidate)
        stream = ChatStream(opened.leave, request, call.left)
        try:
            while (piece := (yield OverNetwork(stream.piece))) is not None:
                call.streamed = True
                yield Piece(piece)
            if not stream.text:
                raise Failure(Outcome.FAILED, "the answer holds no text", usage=stream.usage)
        except BaseException as error:
            with suppress(Exception):  # it is gone in any case
                yield OverNetwork(stream.close)
            report = report_of(error, opened, stream.sending)
            yield from close_hold(call, opened, asked, report, text=stream.text, error=error)
            raise
        found = Answer(stream.text, stream.usage)
        yield from close_hold(call, opened, asked, answered(found, opened), text=found.text)
        return found

    found, candidate = yield from answer(call, _asked(request), fallback=fallback, one_try=one_stream)
    return Reply(text=found.text, model=candidate.model, settled=tuple(call.settled))


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema in the strict form that providers hold an answer to: every field required, no other allowed."""
    strict: dict[str, Any] = _strict(schema.model_json_schema())
    return strict


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {name: _strict(value) for name, value in part.items() if name not in ("default", "title")}
    if isinstance(part.get("properties"), dict):
        kept["properties"] = {name: _strict(value) for name, value in part["properties"].items()}
        kept |= {"required": list(part["properties"]), "additionalProperties": False}
    return kept


def _asked(request: ChatRequest) -> Asked:
    schema_json = json.dumps(request.schema[1]) if request.schema else ""
    said = [{"role": message.role, "content": message.content} for message in request.messages]
    return Asked(
        text=json.dumps(said, ensure_ascii=False),
        input_tokens=chat_tokens_at_most(request.messages, schema_json),
        output_tokens=request.max_tokens,
        send=lambda leave, seconds, sending: chat(leave, request, seconds, sending),
    )


def _parsed(schema: type[Shape], text: str) -> Shape:
    """Raises `ValidationError`, for what is no JSON too. A fence around the JSON is forgiven."""
    fenced = _FENCE.match(text)
    return schema.model_validate_json(fenced[1] if fenced else text)


def _sent_back(text: str, error: ValidationError) -> list[Message]:
    faults = [f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['msg']}" for fault in error.errors()]
    told = "\n".join(faults[:_FAULTS_TOLD])
    return [
        Message(role="assistant", content=text[:_REPLY_TOLD]),
        Message(role="user", content=f"That does not fit the schema:\n{told}\nAnswer again, with the JSON alone."),
    ]
