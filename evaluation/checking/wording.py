"""Outcomes in words, in the criterion's language. They are stored, so gettext has no part in them.

Source of the English ones: RF-007, scenarios 6 to 8 and 15; design.md, "Settled", 7.
"""

from functools import cache
from typing import Any, Final

from evaluation.contracts import CheckedBy, CriterionResult, Reason
from planning.contracts import SuccessCriterion
from planning.criteria import BOUNDS, OPPOSITES, CriterionKind, CriterionParse, Operator

from .lexicon import data_read
from .outcome import Outcome
from .speakers import action_of, actions
from .values import MOMENTS

_BY_NOBODY: Final = (Reason.NOT_UNDERSTOOD, Reason.CHECK_FAILED)
_SIGNS: Final = (">=", "<=", "==", "!=", ">", "<", "not in", "in", "between")
_LENGTH: Final = 120


@cache
def _sentences() -> dict[str, dict[str, str]]:
    read: dict[str, dict[str, str]] = data_read("sentences.json")
    return read


def result_of(criterion: SuccessCriterion, outcome: Outcome, evaluator: str = "") -> CriterionResult:
    """The outcome as a result with its explanation and, where it failed, its error.

    `evaluator` is the label of who checked it.
    """
    parse = criterion.parse
    expected = expected_of(parse) if parse else None
    error = _sentence(parse, outcome, expected, failed=True) if outcome.met is False else None
    return CriterionResult(
        criterion=criterion.normal,
        source=criterion.text,
        met=outcome.met,
        actual=outcome.actual,
        expected=expected,
        explanation=error or _sentence(parse, outcome, expected, failed=False),
        error=error,
        reason=outcome.reason,
        path=outcome.path[:500] if outcome.path else None,
        checked_by=CheckedBy.NOBODY if outcome.reason in _BY_NOBODY else CheckedBy.GRAMMAR,
        evaluator=evaluator,
    )


def warning_of(check: CriterionResult) -> str:
    """The warning of a criterion that could not be checked. English, as in RF-007, scenario 15."""
    reason = check.reason or Reason.CHECK_FAILED
    return f"Cannot verify criterion: {check.criterion} ({_sentences()['reasons'][reason.value]})"


def expected_of(parse: CriterionParse) -> str:
    """What was wanted, as the normal form says it: ">= 7" of "quality >= 7"."""
    for sign in _SIGNS:
        at = parse.normal.find(f" {sign} ")
        if at >= 0 and parse.kind not in (CriterionKind.PRESENCE, CriterionKind.ABSENCE, CriterionKind.VERDICT):
            return parse.normal[at + 1 :]
    if parse.kind is CriterionKind.PRESENCE and not parse.normal.startswith("has "):
        return f"has {parse.normal}"
    return parse.normal


def _sentence(parse: CriterionParse | None, outcome: Outcome, expected: str | None, *, failed: bool) -> str:
    language = parse.language if parse else "en"
    words = _sentences().get(language, _sentences()["en"])
    if parse is None:
        return words[(outcome.reason or Reason.NOT_UNDERSTOOD).value]
    parts = _parts(parse, outcome, expected or "", words)
    return words[_key(parse, outcome, failed)].format_map(parts)


def _parts(parse: CriterionParse, outcome: Outcome, expected: str, words: dict[str, str]) -> dict[str, str]:
    name = _capital(parse.field.replace("_", " "))
    thing = _capital(parse.normal.removeprefix("no ").removeprefix("sin "))
    limit = next((expected[len(sign) + 1 :] for sign in _SIGNS if expected.startswith(f"{sign} ")), expected)
    return {
        "name": thing if parse.kind in (CriterionKind.PRESENCE, CriterionKind.ABSENCE) else name,
        "thing": thing,
        "who": _who(parse, words),
        "actual": value_text(outcome.actual),
        "limit": limit,
        "low": value_text(parse.low),
        "high": value_text(parse.high),
        "sign": OPPOSITES.get(parse.operator, Operator.NOT_EQUAL).value,
        "path": outcome.path or words["all"],
        "other": outcome.paths[1] if len(outcome.paths) > 1 else "",
    }


def _who(parse: CriterionParse, words: dict[str, str]) -> str:
    if not parse.subject:
        return words["nobody"]
    subject = parse.subject.replace("_", " ")
    article = "el " if parse.language == "es" and " " not in subject and subject[-1:] in "oer" else ""
    return _capital(f"{article}{subject}")


def _key(parse: CriterionParse, outcome: Outcome, failed: bool) -> str:
    if outcome.met is None:
        return _unknown_key(outcome)
    if parse.kind is CriterionKind.PRESENCE:
        return "has" if not failed else "list_error" if outcome.note == "list" else "has_error"
    if parse.kind is CriterionKind.ABSENCE:
        return "none_error" if failed else "none_list" if outcome.note == "list" else "none"
    if parse.kind is CriterionKind.VERDICT:
        return _verdict_key(parse, failed)
    if parse.kind is CriterionKind.RANGE or parse.operator is Operator.BETWEEN:
        return "range_error" if failed else "between"
    is_of_moment = parse.value_type in MOMENTS and parse.operator in BOUNDS
    return f"{'failed' if failed else 'met'} {parse.operator}{' moment' if is_of_moment else ''}"


def _unknown_key(outcome: Outcome) -> str:
    if outcome.note:
        return outcome.note
    reason = outcome.reason or Reason.CHECK_FAILED
    if reason is Reason.DATA_MISSING and outcome.path:
        return "data_missing_at"
    return "wrong_type_nowhere" if reason is Reason.WRONG_TYPE and not outcome.path else reason.value


def _verdict_key(parse: CriterionParse, failed: bool) -> str:
    action = action_of(parse.field)
    name = next((key for key, listed in actions().items() if listed is action), "confirm")
    name = "confirms" if name == "confirm" else name
    return f"{name}_error" if failed else name


def value_text(value: Any) -> str:
    """A value in a sentence: short, and a list as its items."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(value_text(item) for item in value[:5]) + (", …" if len(value) > 5 else "")
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e6 else f"{value:,.2f}".replace(",", "")
    text = " ".join(str(value).split())
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH - 1]}…"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
