"""Bodies and query strings as values of a contract, or a refusal that points at each place."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import pydantic
from django.utils.http import parse_header_parameters
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, ConfigDict
from pydantic_core import to_json
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.request import Request

from core.api.json_text import json_read
from core.contracts import Contract
from core.errors import AndamioError, Location, json_pointer

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)


def _digits(value: Any) -> Any:
    # Pydantic would also take "1_0", " 10" and "10.0".
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("must be a whole number in plain digits")
    return value


def _rfc_3339(value: Any) -> Any:
    # Pydantic would also take seconds since 1970.
    if isinstance(value, str) and not _MOMENT.fullmatch(value):
        raise ValueError("must be a time like 2026-01-31T12:00:00Z; a plus sign is written %2B")
    return value


def _utc(moment: datetime) -> datetime:
    # PostgreSQL knows no zone further away than 16 hours, and Python no time before the year 1 or after 9999.
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return _FIRST if moment.year == 1 else _LAST


WholeNumber = Annotated[int, BeforeValidator(_digits)]
"""Plain digits and nothing else."""
Moment = Annotated[AwareDatetime, BeforeValidator(_rfc_3339), AfterValidator(_utc)]
"""A time with its zone as RFC 3339 writes it, in UTC."""
BLANKS = r"\x00-\x20\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
"""What is not seen, for a class of a pattern: spelled out, since Python and JSON Schema do not agree on \\s."""
PYTHONS_PATTERNS = ConfigDict(regex_engine="python-re")
"""Of models whose patterns have \\w, which is a letter or digit of any script, as JSON Schema has it too."""


Value = TypeVar("Value", bound=Contract)


class InvalidRequest(AndamioError):
    code = "invalid-request"
    status = 422
    title = _("Invalid request")
    description = _(
        "The request was read, but some of it is wrong: a field or parameter is missing, unknown or out of"
        " bounds. The errors list each with a JSON pointer to its place. Sending the same again cannot help."
    )


def body_read(request: Request, contract: type[Value]) -> Value:
    """The JSON body. Raises `UnsupportedMediaType`, `ParseError` for what is no JSON, `InvalidRequest`."""
    kind, parameters = parse_header_parameters(request.headers.get("Content-Type", ""))
    body: bytes = request.body
    if not kind and not body:
        raise ParseError("There is no body; JSON is expected.")
    if kind.lower() != "application/json" or parameters.get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
        raise UnsupportedMediaType(kind)
    try:
        data, faults = json_read(body)
    except ValueError as error:
        raise ParseError(f"The body is no JSON: {error}") from error
    if faults:
        places = [(json_pointer(location), fault) for location, fault in faults]
        raise InvalidRequest("The body can be read in more than one way.", places)
    _refuse_nul(data)
    json = to_json(_integral(data))
    return _validated(lambda: contract.model_validate_json(json, strict=True, by_alias=True, by_name=False), "body")


def query_read(request: Request, contract: type[Value]) -> Value:
    """The query string. Raises `InvalidRequest`."""
    values_by_name = {name: request.query_params.getlist(name) for name in request.query_params}
    several = [
        (json_pointer((name,)), "Given more than once") for name, values in values_by_name.items() if len(values) > 1
    ]
    if several:
        raise InvalidRequest("The query string does not fit this address.", several)
    data = {name: values[0] for name, values in values_by_name.items()}
    _refuse_nul(data)
    return _validated(lambda: contract.model_validate_strings(data, by_alias=True, by_name=False), "query string")


def _validated(validate: Callable[[], Value], where: str) -> Value:
    try:
        return validate()
    except pydantic.ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        places = [(json_pointer(fault["loc"]), fault["msg"]) for fault in faults]
        raise InvalidRequest(f"The {where} does not fit this address.", places) from error


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
    places = [(json_pointer(location), "Must not contain the character NUL") for location in _nul_places(data, ())]
    if places:
        raise InvalidRequest("The character NUL cannot be stored.", places)


def _nul_places(data: Any, location: Location) -> list[Location]:
    if isinstance(data, str):
        return [location] if "\0" in data else []
    if isinstance(data, dict):
        keys = [(*location, key) for key in data if "\0" in key]
        return keys + [place for key, item in data.items() for place in _nul_places(item, (*location, key))]
    if isinstance(data, list):
        return [place for index, item in enumerate(data) for place in _nul_places(item, (*location, index))]
    return []
