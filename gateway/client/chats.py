"""Calls to language models: an answer in words, in the form of a schema, or in chunks."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from gateway.client.call import TRIES, Call, Request, answer, answered, close_hold, opening, report_of
from gateway.client.steps import OverNetwork, Steps, StreamChunk
from gateway.client.transport import Answer, ChatRequest, ChatStream, Failure, chat
from gateway.client.values import Message, Reply, Shape, Structured, chat_tokens_at_most
from gateway.contracts import Outcome
from gateway.errors import SchemaNotMet
from gateway.models import Price

_FENCE = re.compile(r"\A\s*```(?:json)?\s*(.*?)\s*```\s*\Z", re.DOTALL)
_FAULTS_TOLD = 5
_REPLY_TOLD = 2_000


def replied(call: Call, messages: Sequence[Message]) -> Steps[Reply]:
    """An answer in words."""
    reply, candidate = yield from answer(call, _request(ChatRequest(messages, call.max_tokens)))
    return Reply(text=reply.text, model=candidate.model, settled=tuple(call.settled))


def structured(call: Call, messages: Sequence[Message], schema: type[Shape]) -> Steps[Structured[Shape]]:
    """An answer that fits the schema. One that does not is sent back once, with its faults. Raises `SchemaNotMet`."""
    wanted = (schema.__name__, strict_schema(schema))
    reply, candidate = yield from answer(call, _request(ChatRequest(messages, call.max_tokens, wanted)))
    try:
        return Structured(_parsed(schema, reply.text), candidate.model, tuple(call.settled))
    except ValidationError as error:
        again = [*messages, *_sent_back(reply.text, error)]
    call.tried = TRIES - 1  # one request for the repair, of the model that is to mend it
    repair = _request(ChatRequest(again, call.max_tokens, wanted))
    reply, candidate = yield from answer(call, repair, only=candidate)
    try:
        return Structured(_parsed(schema, reply.text), candidate.model, tuple(call.settled))
    except ValidationError as error:
        raise SchemaNotMet(f"{candidate.model} gave no {schema.__name__}, nor when it was asked again.") from error


def streamed(call: Call, messages: Sequence[Message]) -> Steps[Reply]:
    """An answer in chunks, as they come. Until the first one, another try or model may begin anew."""
    chat_request = ChatRequest(messages, call.max_tokens)

    def one_stream(call: Call, request: Request, candidate: Price) -> Steps[Answer]:
        opened = yield opening(call, request, candidate)
        stream = ChatStream(opened.leave, chat_request, call.left)
        try:
            while (text := (yield OverNetwork(stream.next_text))) is not None:
                call.streamed = True
                yield StreamChunk(text)
            if not stream.text:
                raise Failure(Outcome.FAILED, "the answer holds no text", usage=stream.usage)
        except BaseException as error:
            with suppress(Exception):  # it is gone in any case
                yield OverNetwork(stream.close)
            report = report_of(error, opened, stream.sending)
            yield from close_hold(call, opened, request, report, text=stream.text, error=error)
            raise
        reply = Answer(stream.text, stream.usage)
        yield from close_hold(call, opened, request, answered(reply, opened), text=reply.text)
        return reply

    reply, candidate = yield from answer(call, _request(chat_request), one_try=one_stream)
    return Reply(text=reply.text, model=candidate.model, settled=tuple(call.settled))


@cache
def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema in the strict form that providers hold an answer to: every field required, no other allowed."""
    strict: dict[str, Any] = _strict(schema.model_json_schema())
    return strict


def _strict(part: Any) -> Any:
    if isinstance(part, list):
        return [_strict(item) for item in part]
    if not isinstance(part, dict):
        return part
    strict = {name: _strict(value) for name, value in part.items() if name not in ("default", "title")}
    if isinstance(part.get("properties"), dict):
        strict["properties"] = {name: _strict(value) for name, value in part["properties"].items()}
        strict |= {"required": list(part["properties"]), "additionalProperties": False}
    return strict


def _request(request: ChatRequest) -> Request:
    schema_json = json.dumps(request.schema[1]) if request.schema else ""
    payload = [{"role": message.role, "content": message.content} for message in request.messages]
    return Request(
        text=json.dumps(payload, ensure_ascii=False),
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
    listed = "\n".join(faults[:_FAULTS_TOLD])
    return [
        Message(role="assistant", content=text[:_REPLY_TOLD]),
        Message(role="user", content=f"That does not fit the schema:\n{listed}\nAnswer again, with the JSON alone."),
    ]
