"""The OpenAPI description of a method that has an `Operation`: its contracts, and every refusal that can meet it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from core.api.operation import Operation, operation_of
from core.api.paging import CursorUnknown, PageQuery
from core.problems.documents import CONTENT_TYPE, Problem, problem_kind

_REFERENCE = "#/components/schemas/{model}"
_INPUT = "Input"
_WITH_BODY = ("POST", "PUT", "PATCH")


class _Untitled(GenerateJsonSchema):
    """Without a title for each field that only repeats its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


class ContractSchema(AutoSchema):
    """Describes methods that have an `Operation`; any other is left to drf-spectacular."""

    @property
    def described(self) -> Operation | None:
        return operation_of(self.view, self.method)

    def get_operation_id(self) -> str:
        return self.described.id if self.described else super().get_operation_id()

    def get_summary(self) -> str | None:
        return self.described.summary if self.described else super().get_summary()

    def get_tags(self) -> list[str]:
        return [self.described.tag] if self.described else super().get_tags()

    def _is_list_view(self, serializer: Any = None) -> bool:
        return False if self.described else bool(super()._is_list_view(serializer))

    def _get_parameters(self) -> list[dict[str, Any]]:
        parameters: list[dict[str, Any]] = super()._get_parameters()
        if described := self.described:
            parameters += self._query_parameters(described) + self._header_parameters(described)
        return parameters

    def _get_request_body(self, direction: str = "request") -> dict[str, Any] | None:
        described = self.described
        if described is None:
            body: dict[str, Any] | None = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
            return body
        if described.request is None:
            return None
        content: dict[str, Any] = {"schema": self._reference(described.request, "validation")}
        if described.request_example is not None:
            content["example"] = described.request_example
        return {"required": True, "content": {"application/json": content}}

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        described = self.described
        if described is None:
            bodies: dict[str, Any] = super()._get_response_bodies(direction)
            return bodies
        statuses = (described.status,) if isinstance(described.status, int) else described.status
        responses = {str(status): self._success(described) for status in statuses}
        if described.conditional:
            headers = self._headers(*_RATE, "ETag")
            responses["304"] = {"description": "Unchanged since the answer with that ETag.", "headers": headers}
        for status, codes in sorted(self._problems(described).items()):
            responses[str(status)] = self._refusal(status, codes)
        return responses

    def _success(self, described: Operation) -> dict[str, Any]:
        headers = {**self._headers(*_RATE), **{name: _text_header(text) for name, text in described.headers.items()}}
        if described.conditional:
            headers |= self._headers("ETag")
        if self._is_idempotent:
            headers |= self._headers("Idempotent-Replayed")
        answer: dict[str, Any] = {"description": described.summary, "headers": headers}
        if described.response is not None:
            is_text = described.response is str
            schema = {"type": "string"} if is_text else self._reference(described.response, "serialization")
            content: dict[str, Any] = {"schema": schema}
            if described.example is not None:
                content["example"] = described.example
            answer["content"] = {described.media_type: content}
        return answer

    def _refusal(self, status: int, codes: list[str]) -> dict[str, Any]:
        names = [*(_RATE if status < 500 else ()), *_HEADERS_OF_STATUS.get(status, ())]
        return {
            "description": "; ".join(f"`{code}`: {problem_kind(code).title}" for code in codes),
            "headers": self._headers(*names),
            "x-codes": codes,
            "content": {CONTENT_TYPE: {"schema": self._reference(Problem, "serialization")}},
        }

    def _headers(self, *names: str) -> dict[str, Any]:
        """References to the components of these headers."""
        references = {}
        for name in names:
            component = _component(name, ResolvedComponent.HEADER, _HEADERS[name])
            self.registry.register_on_missing(component)
            references[name] = component.ref
        return references

    def _problems(self, described: Operation) -> dict[int, list[str]]:
        """Codes of all refusals that this method may answer with, by status."""
        guards = (*self.view.get_authenticators(), *self.view.get_permissions(), *self.view.get_throttles())
        codes = ["not-acceptable", "invalid-request", "internal-error", "unavailable"]
        codes += [code for guard in guards for code in getattr(guard, "problems", ())]
        if "{" in self.path:
            codes.append("not-found")
        if described.query is not None and issubclass(described.query, PageQuery):
            codes.append(CursorUnknown.code)
        if self.method in _WITH_BODY:
            codes += ["malformed-request", "unsupported-media-type", "request-too-large"]
        if self._is_idempotent:
            codes += ["idempotency-key-invalid", "idempotency-key-reused", "request-still-running"]
        by_status: dict[int, list[str]] = {}
        for code in dict.fromkeys([*codes, *described.problems]):
            by_status.setdefault(problem_kind(code).status, []).append(code)
        return by_status

    @property
    def _is_idempotent(self) -> bool:
        return bool(getattr(getattr(self.view, self.method.lower(), None), "idempotent", False))

    def _query_parameters(self, described: Operation) -> list[dict[str, Any]]:
        if described.query is None:
            return []
        schema = described.query.model_json_schema(schema_generator=_Untitled, ref_template=_REFERENCE)
        self._register(schema.pop("$defs", {}))
        required = schema.get("required", [])
        return [_parameter(name, value, name in required) for name, value in schema["properties"].items()]

    def _header_parameters(self, described: Operation) -> list[dict[str, Any]]:
        parameters = []
        if self._is_idempotent:
            schema = {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"}
            text = "Names this action: sent again with the same key, it is done once and answered the same."
            parameters.append({"in": "header", "name": "Idempotency-Key", "schema": schema, "description": text})
        if described.conditional:
            text = "The ETag of an answer you have; 304 without a body when it still holds."
            parameters.append(
                {"in": "header", "name": "If-None-Match", "schema": {"type": "string"}, "description": text}
            )
        return parameters

    def _reference(self, model: type[BaseModel] | Any, mode: JsonSchemaMode) -> dict[str, str]:
        """A reference to the model's component. What a request is made of is apart: defaults are optional there."""
        suffix = _INPUT if mode == "validation" else ""
        template = f"{_REFERENCE}{suffix}"
        schema = dict(_json_schema(model, mode, template))
        self._register({f"{name}{suffix}": value for name, value in schema.pop("$defs", {}).items()})
        if set(schema) != {"$ref"}:  # a model that contains itself is a definition already
            self._register({model.__name__: schema})
            return {"$ref": _REFERENCE.format(model=model.__name__)}
        return {"$ref": schema["$ref"]}

    def _register(self, schemas: dict[str, Any]) -> None:
        for name, schema in schemas.items():
            component = _component(name, ResolvedComponent.SCHEMA, schema)
            if component in self.registry and self.registry[component].schema != schema:
                raise ValueError(f"two different contracts are called {name}")
            self.registry.register_on_missing(component)


@cache
def _json_schema(model: type[BaseModel] | Any, mode: JsonSchemaMode, template: str) -> Mapping[str, Any]:
    """What pydantic says of a model. It takes a while, and a problem is among the answers of everything."""
    schema: Mapping[str, Any] = model.model_json_schema(schema_generator=_Untitled, mode=mode, ref_template=template)
    return schema


def _component(name: str, kind: str, schema: dict[str, Any]) -> ResolvedComponent:
    return ResolvedComponent(name=name, type=kind, object=name, schema=schema)  # type: ignore[no-untyped-call]


def _text_header(text: str) -> dict[str, Any]:
    return {"description": text, "schema": {"type": "string"}}


def _number_header(text: str) -> dict[str, Any]:
    return {"description": text, "schema": {"type": "integer", "minimum": 0}}


_RATE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
_HEADERS = {
    "RateLimit-Limit": _number_header("Requests that the tightest limit allows in a minute."),
    "RateLimit-Remaining": _number_header("How many of them are left."),
    "RateLimit-Reset": _number_header("Seconds until that minute is over."),
    "Retry-After": _number_header("Seconds after which to repeat the request; left out where that does not help."),
    "WWW-Authenticate": _text_header("How to authenticate."),
    "ETag": _text_header("Changes whenever the answer does; send it as If-None-Match."),
    "Idempotent-Replayed": _text_header("`true` when this is the kept answer of an earlier request with the same key."),
}
_HEADERS_OF_STATUS = {401: ("WWW-Authenticate",), 409: ("Retry-After",), 429: ("Retry-After",), 503: ("Retry-After",)}


def _parameter(name: str, schema: dict[str, Any], required: bool) -> dict[str, Any]:
    """A query parameter; null is not among its values, since leaving it out says the same."""
    options = [kind for kind in schema.get("anyOf", ()) if kind.get("type") != "null"]
    values = {key: value for key, value in schema.items() if key not in ("anyOf", "description")}
    if values.get("default", "") is None:
        del values["default"]
    if len(options) == 1:
        values |= options[0]
    elif options:
        values["anyOf"] = options
    parameter: dict[str, Any] = {"in": "query", "name": name, "schema": values, "required": required}
    if "description" in schema:
        parameter["description"] = schema["description"]
    return parameter
