"""The JSON Schemas that the contracts of today would be published by, to be compared with those that are."""

import json
from typing import Any, Final

from routing.contracts import WORDS_AT_MOST, GovernorDecision, QueryPlan, SynthesizerOutput
from routing.contracts.values import DOMAINS_AT_MOST, RATIONALE_LINES, SHORT_LINES, Sealed

CONTRACTS: Final[dict[str, type[Sealed]]] = {
    "query-plan/1": QueryPlan,
    "governor-decision/1": GovernorDecision,
    "synthesizer-output/1": SynthesizerOutput,
}
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _when(field: str, condition: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """A rule between fields; it holds where the field is there, which `required` sees to."""
    return {
        "if": {"properties": {field: condition}, "required": [field]},
        "then": {"properties": then},
    }


def _status(wanted: str) -> dict[str, Any]:
    return {"lab_policy": {"properties": {"status": {"const": wanted}}}}


_RULES: Final[dict[str, list[dict[str, Any]]]] = {
    "QueryPlan": [
        _when("mode", {"const": "fast"}, {"domains_selected": {"maxItems": DOMAINS_AT_MOST["fast"]}}),
        _when("domains_selected", {"contains": {"const": "lab"}}, _status("approved")),
        _when("flags", {"contains": {"const": "lab-access-approved"}}, _status("approved")),
        _when("flags", {"contains": {"const": "lab-access-denied"}}, _status("denied")),
    ],
    "LabPolicy": [
        {
            **_when("status", {"const": "denied"}, {"allow_lab": {"const": False}}),
            "else": {"properties": {"allow_lab": {"const": True}}},
        },
    ],
    "Evidence": [_when("status", {"const": "not_available"}, {"items": {"maxItems": 0}})],
}
_LINES: Final = {
    "QueryPlan": {"rationale": f"At most {RATIONALE_LINES} lines."},
    "LabPolicy": {"rationale": f"At most {SHORT_LINES} lines."},
    "PlanView": {"rationale": f"At most {RATIONALE_LINES} lines."},
    "Risk": {"rationale": f"At most {SHORT_LINES} lines."},
    "GovernorDecision": {"diagnosis": "At most 8 lines."},
    "Answer": {"diagnosis": f"All five blocks together have at most {WORDS_AT_MOST} words."},
}


def schema_address(name: str) -> str:
    """Its address on this server, which is its `$id` too: it names the schema, whatever the server is called."""
    return f"/schemas/{name}/schema.json"


def schema_generated(name: str) -> bytes:
    """The file as the contract of today would have it; a test holds the two equal."""
    made = CONTRACTS[name].model_json_schema(mode="serialization")
    return json.dumps(_whole(name, made), indent=2, ensure_ascii=False).encode() + b"\n"


def _whole(name: str, made: dict[str, Any]) -> dict[str, Any]:
    kinds = made.pop("$defs", {})
    title = made["title"]
    whole = {"$schema": _DIALECT, "$id": schema_address(name), "title": f"{title} v1", **_told(title, made)}
    if kinds:
        whole["$defs"] = {kind: _told(kind, kinds[kind]) for kind in sorted(kinds)}
    return whole


def _told(contract: str, made: dict[str, Any]) -> dict[str, Any]:
    """One object, with the rules that Pydantic holds in code; without docstrings, which may change."""
    told: dict[str, Any] = _plain({part: value for part, value in made.items() if part not in ("title", "description")})
    for field, text in _LINES.get(contract, {}).items():
        told["properties"][field]["description"] = text
    if contract in _RULES:
        told["allOf"] = _RULES[contract]
    return told


def _plain(value: Any) -> Any:
    """Without titles made of names. Every list of these contracts has different items, every text says something."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    made = {
        key: {name: _plain(field) for name, field in inner.items()} if key == "properties" else _plain(inner)
        for key, inner in value.items()
        if not (key in ("title", "description") and isinstance(inner, str))
    }
    if made.get("type") == "array":
        made["uniqueItems"] = True
    if made.get("type") == "string" and not made.keys() & {"enum", "format", "pattern", "const"}:
        made["pattern"] = r"\S"
    return made
