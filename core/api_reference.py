"""The OpenAPI document put into words for the page that people read."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from core.markup import markdown, markdown_line

Json = Mapping[str, Any]
_VARIABLE = re.compile(r"\{(\w+)\}")


class Field(NamedTuple):
    """A parameter, or a field of a body; `place` is path, query, header or body."""

    name: str
    place: str
    kind: str
    required: bool
    text: SafeString


class Refusal(NamedTuple):
    """A status of problems, with the codes that may come with it."""

    status: str
    codes: Sequence[str]


class Described(NamedTuple):
    """One method of one address. `scopes` is empty where no token is needed; examples are None where there is none."""

    id: str
    method: str
    path: str
    summary: str
    text: SafeString
    scopes: Sequence[str]
    fields: Sequence[Field]
    command: str
    statuses: str
    example: str | None
    answer: Sequence[Field]
    refusals: Sequence[Refusal]


class Section(NamedTuple):
    """The operations with one tag."""

    name: str
    operations: Sequence[Described]


def reference(document: Json) -> list[Section]:
    """Every operation, by tag, in the order of the addresses."""
    every = [
        (operation["tags"][0], _described(document, path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    every.sort(key=lambda pair: pair[0])
    return [Section(tag, [one for _, one in pairs]) for tag, pairs in groupby(every, key=lambda pair: pair[0])]


def _described(document: Json, path: str, method: str, operation: Json) -> Described:
    answers = {status: answer for status, answer in operation["responses"].items() if status < "300"}
    content: Json = next(iter(next(iter(answers.values())).get("content", {}).values()), {})
    return Described(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        text=markdown(operation.get("description", "")),
        scopes=next((scheme["token"] for scheme in operation.get("security", ()) if scheme.get("token")), ()),
        fields=[*_parameters(document, operation), *_body(document, operation)],
        command=_command(path, method, operation),
        statuses=", ".join(answers),
        example=_pretty(content["example"]) if "example" in content else None,
        answer=list(_fields(document, content.get("schema", {}))),
        refusals=[
            Refusal(status, answer["x-codes"])
            for status, answer in operation["responses"].items()
            if "x-codes" in answer
        ],
    )


def _parameters(document: Json, operation: Json) -> Iterator[Field]:
    for parameter in operation.get("parameters", ()):
        text = markdown_line(parameter.get("description", ""))
        kind = _kind(document, parameter["schema"])
        yield Field(parameter["name"], parameter["in"], kind, parameter.get("required", False), text)


def _body(document: Json, operation: Json) -> Iterator[Field]:
    content = operation.get("requestBody", {}).get("content", {})
    for kind in content.values():
        yield from _fields(document, kind["schema"])


def _fields(document: Json, schema: Json) -> Iterator[Field]:
    whole = _resolved(document, schema)
    for name, field in whole.get("properties", {}).items():
        text = markdown_line(field.get("description", ""))
        yield Field(name, "body", _kind(document, field), name in whole.get("required", ()), text)


def _resolved(document: Json, schema: Json) -> Json:
    if "$ref" not in schema:
        return schema
    found: Json = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _kind(document: Json, schema: Json) -> str:
    """What a value may be, in a few words."""
    whole = _resolved(document, schema)
    if "enum" in whole:
        return " | ".join(map(str, whole["enum"]))
    if "const" in whole:
        return str(whole["const"])
    if several := whole.get("anyOf") or whole.get("oneOf"):
        kinds = (_kind(document, one) for one in several if set(one) != {"required"})
        return " | ".join(dict.fromkeys(kinds))
    if whole.get("type") == "array":
        return f"list of {_kind(document, whole.get('items', {}))}"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    kind = whole.get("format") or whole.get("type", "any")
    return " ".join([kind if isinstance(kind, str) else " | ".join(kind), *_bounds(whole)])


def _bounds(schema: Json) -> Iterator[str]:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None or most is not None:
        yield f"{'' if least is None else least}..{'' if most is None else most}"
    if "maxLength" in schema:
        least_text = f"{schema['minLength']}.." if schema.get("minLength") else "up to "
        yield f"({least_text}{schema['maxLength']} characters)"
    if schema.get("default") is not None:
        yield f"= {schema['default']}"


def _command(path: str, method: str, operation: Json) -> str:
    """The operation with curl; `$API` and `$TOKEN` are explained on the page, what is in braces becomes a variable."""
    parts = ["curl" if method == "get" else f"curl -X {method.upper()}"]
    if operation.get("security"):
        parts.append('-H "Authorization: Bearer $TOKEN"')
    if any(parameter["name"] == "Idempotency-Key" for parameter in operation.get("parameters", ())):
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f'-H "Content-Type: {kind}"')
        if "example" in content:
            parts.append(f"-d {shlex.quote(json.dumps(content['example'], ensure_ascii=False))}")
    address = _VARIABLE.sub(lambda match: f"${match[1].upper()}", path)
    return " \\\n  ".join([*parts, f'"$API{address}"'])


def _pretty(example: Any) -> str:
    return json.dumps(example, ensure_ascii=False, indent=2)
