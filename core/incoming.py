"""What comes in with a request, as a value of a contract or as a refusal that points at each fault."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pydantic
from django.utils.http import parse_header_parameters
from pydantic_core import from_json, to_json
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.request import Request

from core.contracts import Contract
from core.errors import AndamioError

Value = TypeVar("Value", bound=Contract)
Location = tuple[str | int, ...]


class InvalidRequest(AndamioError):
    """Something in the body or in the query string is missing, unknown or out of bounds."""

    code = "invalid-request"
    status = 422

    def __init__(self, message: str, places: Sequence[tuple[str, str]]) -> None:
        super().__init__(message)
        self._places = tuple(places)

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        return self._places


def body_read(request: Request, contract: type[Value]) -> Value:
    """The JSON body. Raises `UnsupportedMediaType`, `ParseError` for what is no JSON, `InvalidRequest`."""
    kind, parameters = parse_header_parameters(request.headers.get("Content-Type", ""))
    body: bytes = request.body
    if not kind and not body:
        raise ParseError("There is no body; JSON is expected.")
    if kind.lower() != "application/json" or parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(kind)
    try:
        data = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise ParseError(f"The body is no JSON: {error}") from error
    _refuse_nul(data)
    json = to_json(_integral(data))
    return _validated(lambda: contract.model_validate_json(json, strict=True, by_alias=True, by_name=False), "body")


def query_read(request: Request, contract: type[Value]) -> Value:
    """The query string. Raises `InvalidRequest`."""
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    several = [(_pointer((name,)), "Given more than once") for name, values in given.items() if len(values) > 1]
    if several:
        raise InvalidRequest("The query string does not fit this address.", several)
    data = {name: values[0] for name, values in given.items()}
    _refuse_nul(data)
    return _validated(lambda: contract.model_validate_strings(data, by_alias=True, by_name=False), "query string")


def _validated(validate: Callable[[], Value], where: str) -> Value:
    try:
        return validate()
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        places = [(_pointer(fault["loc"]), fault["msg"]) for fault in faults]
        raise InvalidRequest(f"The {where} does not fit this address.", places) from error


def _pointer(location: Location) -> str:
    """A JSON pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in location)


def _integral(data: Any) -> Any:
    """The same with 3.0 as 3: to JSON, and to JSON Schema, they are one number; to Pydantic's strict integers not."""
    if isinstance(data, float):
        return int(data) if data.is_integer() else data
    if isinstance(data, dict):
        return {key: _integral(item) for key, item in data.items()}
    if isinstance(data, list):
        return [_integral(item) for item in data]
    return data


def _refuse_nul(data: Any) -> None:
    """PostgreSQL's text cannot hold this one character."""
    places = [(_pointer(location), "Must not contain the character NUL") for location in _nul_places(data, ())]
    if places:
        raise InvalidRequest("The character NUL cannot be stored.", places)


def _nul_places(data: Any, location: Location) -> list[Location]:
    if isinstance(data, str):
        return [location] if "\0" in data else []
    if isinstance(data, dict):
        keys = [(*location, key) for key in data if "\0" in key]
        return keys + [found for key, item in data.items() for found in _nul_places(item, (*location, key))]
    if isinstance(data, list):
        return [found for index, item in enumerate(data) for found in _nul_places(item, (*location, index))]
    return []
