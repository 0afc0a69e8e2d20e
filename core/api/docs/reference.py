"""The OpenAPI document put into words for the page that people read."""

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from core.pages.markup import markdown, markdown_line

Json = Mapping[str, Any]
_VARIABLE = re.compile(r"\{(\w+)\}")


class Field(NamedTuple):
    """A parameter, or a field of a body; `place` is path, query, header or body."""

    name: str
    place: str
    kind: str
    required: bool
    text: SafeString


class Described(NamedTuple):
    """One method of one address. `scopes` is empty where no token is needed; `example` is None where there is none.

    `refusals` are statuses of problems, each with the codes that may come with it.
    """

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
    refusals: Sequence[tuple[str, Sequence[str]]]


def reference(document: Json) -> list[tuple[str, list[Described]]]:
    """Every operation, by tag, in the order of the addresses."""
    by_tag: dict[str, list[Described]] = defaultdict(list)
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag[operation["tags"][0]].append(_described(document, path, method, operation))
    return sorted(by_tag.items())


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
        example=json.dumps(content["example"], ensure_ascii=False, indent=2) if "example" in content else None,
        answer=list(_fields(document, content.get("schema", {}))),
        refusals=[
            (status, answer["x-codes"]) for status, answer in operation["responses"].items() if "x-codes" in answer
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
    resolved = _resolved(document, schema)
    for name, field in resolved.get("properties", {}).items():
        text = markdown_line(field.get("description", ""))
        yield Field(name, "body", _kind(document, field), name in resolved.get("required", ()), text)


def _resolved(document: Json, schema: Json) -> Json:
    if "$ref" not in schema:
        return schema
    component: Json = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return component


def _kind(document: Json, schema: Json) -> str:
    """What a value may be, in a few words."""
    resolved = _resolved(document, schema)
    if "enum" in resolved:
        return " | ".join(map(str, resolved["enum"]))
    if "const" in resolved:
        return str(resolved["const"])
    if several := resolved.get("anyOf") or resolved.get("oneOf"):
        kinds = (_kind(document, option) for option in several if set(option) != {"required"})
        return " | ".join(dict.fromkeys(kinds))
    if resolved.get("type") == "array":
        return f"list of {_kind(document, resolved.get('items', {}))}"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    kind = resolved.get("format") or resolved.get("type", "any")
    return " ".join([kind if isinstance(kind, str) else " | ".join(kind), *_bounds(resolved)])


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
