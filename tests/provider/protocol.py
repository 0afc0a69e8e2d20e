"""OpenAI's protocol: what a request may say, and the bodies of answers. Tokens are four characters each."""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tests.provider.behaviour import Behaviour, Used

EMBEDDINGS = "/v1/embeddings"
Json = Mapping[str, Any]
_GREETING = "Hello. I am here to help you think."
_CHARACTERS_A_TOKEN = 4
_WORDS = re.compile(r"\s*\S+|\s+")
_DIMENSIONS = 1536
_NOTE = {"id": "call-1", "created": 1_700_000_000}


def refusal(path: str, body: Json) -> str | None:
    """Why a request is turned away with 400, as OpenAI does, or None."""
    if not isinstance(body.get("model"), str):
        return "you must provide a model parameter"
    if path == EMBEDDINGS:
        return None if body.get("input") else "'$.input' is invalid"
    if not body.get("messages"):
        return "[] is too short - 'messages'"
    if "stream_options" in body and not body.get("stream"):
        return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    schema = _schema_of(body)
    if schema is not None and body["response_format"]["json_schema"].get("strict"):
        return _not_strict(schema)
    return None


def text_of(behaviour: Behaviour, body: Json) -> str:
    """The whole text of the answer, cut to the tokens that were allowed unless it misbehaves in that."""
    text, most = behaviour.text, _allowed(body)
    if text is None:
        schema = _schema_of(body)
        text = _GREETING if schema is None else json.dumps(_smallest(schema, schema))
    elif callable(text):
        text = text(body)
    if behaviour.longer:
        size = behaviour.longer * (most or 100) * _CHARACTERS_A_TOKEN
        return (text * (size // len(text) + 1))[:size]
    return text if most is None else text[: most * _CHARACTERS_A_TOKEN]


def used_by(behaviour: Behaviour, path: str, body: Json) -> Used:
    """What the call used: as scripted, or counted."""
    if behaviour.used is not None:
        return behaviour.used
    if path == EMBEDDINGS:
        return Used(sum(_tokens(text) for text in _inputs(body)))
    return Used(_tokens(json.dumps(body["messages"])), _tokens(text_of(behaviour, body)))


def chat(body: Json, text: str, used: Used | None) -> bytes:
    """The answer in one piece."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": _reason(body, text)}
    answer = {**_NOTE, "object": "chat.completion", "model": body["model"], "choices": [choice]}
    return json.dumps(answer if used is None else {**answer, "usage": _usage(used)}).encode()


def chat_chunks(body: Json, text: str, used: Used | None) -> Iterator[bytes]:
    """The answer as server-sent events: the role, each word, the end, and where asked for what was used."""
    wanted = used is not None and (body.get("stream_options") or {}).get("include_usage")
    usage: Json = {"usage": None} if wanted else {}
    head = {**_NOTE, "object": "chat.completion.chunk", "model": body["model"]}
    for delta in ({"role": "assistant", "content": ""}, *({"content": word} for word in _WORDS.findall(text))):
        yield _event({**head, **usage, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, **usage, "choices": [{"index": 0, "delta": {}, "finish_reason": _reason(body, text)}]})
    if used is not None and wanted:
        yield _event({**head, "choices": [], "usage": _usage(used)})
    yield b"data: [DONE]\n\n"


def embeddings(body: Json, used: Used | None) -> bytes:
    """A vector for each text; texts with words in common are near each other."""
    vectors = [_vector(text, body.get("dimensions") or _DIMENSIONS) for text in _inputs(body)]
    as_text = body.get("encoding_format") == "base64"
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": base64.b64encode(vector.tobytes()).decode() if as_text else vector.tolist(),
        }
        for index, vector in enumerate(vectors)
    ]
    answer = {"object": "list", "model": body["model"], "data": data}
    if used is None:
        return json.dumps(answer).encode()
    return json.dumps({**answer, "usage": {"prompt_tokens": used.prompt, "total_tokens": used.prompt}}).encode()


def error(status: int, message: str) -> bytes:
    """The body of an HTTP error."""
    kind = {400: "invalid_request_error", 401: "invalid_request_error", 429: "rate_limit_exceeded"}
    said = {"message": message, "type": kind.get(status, "server_error"), "param": None, "code": None}
    return json.dumps({"error": said}).encode()


def _event(value: Json) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def _usage(used: Used) -> Json:
    return {
        "prompt_tokens": used.prompt,
        "completion_tokens": used.completion,
        "total_tokens": used.prompt + used.completion,
        "prompt_tokens_details": {"cached_tokens": used.cached},
        "completion_tokens_details": {"reasoning_tokens": used.reasoning},
    }


def _allowed(body: Json) -> int | None:
    return body.get("max_completion_tokens") or body.get("max_tokens")


def _reason(body: Json, text: str) -> str:
    most = _allowed(body)
    return "length" if most is not None and _tokens(text) >= most else "stop"


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_A_TOKEN)


def _inputs(body: Json) -> Sequence[str]:
    given = body["input"]
    return [given] if isinstance(given, str) else list(given)


def _schema_of(body: Json) -> Json | None:
    form = body.get("response_format") or {}
    return form["json_schema"]["schema"] if form.get("type") == "json_schema" else None


def _not_strict(schema: object) -> str | None:
    """Strict schemas name every property as required and allow no others."""
    if isinstance(schema, list):
        return next(filter(None, map(_not_strict, schema)), None)
    if not isinstance(schema, dict):
        return None
    if schema.get("type") == "object" and "properties" in schema:
        if schema.get("additionalProperties") is not False:
            return (
                "Invalid schema for response_format: 'additionalProperties' is required to be supplied and to be false."
            )
        if set(schema.get("required", ())) != set(schema["properties"]):
            return "Invalid schema for response_format: 'required' is required to include every key in properties."
    return next(filter(None, map(_not_strict, schema.values())), None)


def _smallest(schema: Json, root: Json) -> Any:
    """A small value that fits the schema, as far as Pydantic's own schemas go."""
    if "$ref" in schema:
        return _smallest(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for key in ("enum", "anyOf", "oneOf", "allOf"):
        if key in schema:
            return schema[key][0] if key == "enum" else _smallest(schema[key][0], root)
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: _smallest(properties[name], root) for name in schema.get("required", ())}
        case "array":
            return [_smallest(schema["items"], root)] * schema.get("minItems", 0)
        case "string":
            return "x" * max(1, schema.get("minLength", 1))
        case "integer" | "number":
            return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        case "boolean":
            return False
    return None


def _vector(text: str, dimensions: int) -> "np.ndarray[Any, np.dtype[np.float32]]":
    made = sum((_word(word, dimensions) for word in text.lower().split()), np.zeros(dimensions))
    size = float(np.linalg.norm(made)) or 1.0
    return (made / size).astype("<f4")


@lru_cache(maxsize=1024)
def _word(word: str, dimensions: int) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.random.default_rng(list(word.encode())).standard_normal(dimensions)
