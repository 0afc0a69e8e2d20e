"""A cause in words: what happened with its numbers, why, and the flaw of the strategy. Sentences are in
`data/analysis_*.json`, by language.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from planning.criteria import CriterionKind, ValueType
from planning.experience import normalised
from reflection.causes.contracts import Cause, CauseKind
from reflection.causes.detect.activation import unreached_of
from reflection.causes.detect.checks import Check
from reflection.causes.detect.feedback import voiced_of
from reflection.causes.detect.reading import Case
from reflection.causes.texts import chosen, data_read, filled, number_shown, sentence, shown
from reflection.contracts import ANALYSIS_AT_LEAST

RIVAL_AT_LEAST, RIVAL_WITHIN = 0.6, 0.13
_SAME: Final = (
    frozenset((CauseKind.PRIORITY_AGAINST, CauseKind.TRADE_OFF)),
    frozenset((CauseKind.CHANGED_MIND, CauseKind.UNMEASURED_WISH)),
    frozenset((CauseKind.PASSED_OVER, CauseKind.PRIORITY_AGAINST)),
    frozenset((CauseKind.ASSUMED, CauseKind.NOT_HELD)),
)
"""Causes of which one goes without saying beside the other."""
_VARIANTS: Final = (
    "first",
    "own",
    "loose",
    "topic",
    "thing",
    "turned",
    "both",
    "done",
    "state",
    "constraint",
    "checked",
)
_ORDINALS: Final = {
    "en": {2: "second", 3: "third", 4: "fourth", 5: "fifth"},
    "es": {2: "segunda", 3: "tercera", 4: "cuarta", 5: "quinta"},
}
_OFTEN: Final = 2
_CONTRACTED: Final = re.compile(r"\b(de|a) el\b")
_DECIMAL: Final = re.compile(r"«[^»]*»|(?<![\w.,])(\d+)\.(\d{1,2})(?!\w|[.,]\d)")
"""A number as it is written in Spanish, but for what is quoted."""
_SIGN: Final = re.compile(r"\s*(?:>=|<=|==|!=|>|<|≥|≤)\s*")


def analysis_of(
    cause: Cause, case: Case, attempt: int = 1, *, repeats: bool = False, pattern: str = "", used_up: bool = False
) -> str:
    """What went wrong and why, in the language of the plan; at least 100 characters.

    Another attempt says it in other sentences where there are any. `repeats`: the attempt before said what earlier
    reflections say. `pattern`: what keeps happening, in words. `used_up`: every adjustment was tried.
    """
    words = data_read(f"analysis_{case.language}.json")
    parts, seed = parts_of(cause, case), f"{case.plan.task}:{cause.about}:{attempt}"
    kind = words["kinds"][cause.kind.value]
    check = case.check_of(cause)
    waits = unreached_of(case, check)
    sentences = [
        _opening(words, parts, case, cause, seed),
        _voiced(words, cause, case, check),
        _recurring(words, parts, case, attempt, seed) if repeats else "",
        chosen(_variant(kind, cause, "why"), parts, seed + "why"),
        chosen(_variant(kind, cause, "flaw"), parts, seed + "flaw"),
        chosen(words["pattern"], {"pattern": pattern}, seed) if pattern else _before(words, parts, seed),
        _rival(words, cause, parts, seed),
        filled(words["unreached"], {"adjustment": waits[0].text}) if waits else "",
        filled(words["used up"], parts) if used_up else "",
    ]
    text = " ".join(sentence(part) for part in sentences if part)
    if case.language == "es":
        text = _CONTRACTED.sub(lambda match: {"de": "del", "a": "al"}[match[1]], text)
        text = _DECIMAL.sub(lambda match: match[0] if match[1] is None else f"{match[1]},{match[2]}", text)
    return text if len(text) >= ANALYSIS_AT_LEAST else f"{text} {sentence(chosen(kind['flaw'], parts, seed))}"


def _voiced(words: dict[str, Any], cause: Cause, case: Case, check: Check | None) -> str:
    """The user's words on the criterion, where they name it."""
    if check is None or check.is_verdict or "feedback" in cause.parts:
        return ""
    quote = voiced_of(case, check)
    return filled(words["voiced"], {"said": quote}) if quote else ""


def parts_of(cause: Cause, case: Case) -> dict[str, str]:
    """The values of the slots of sentences."""
    words = data_read(f"analysis_{case.language}.json")
    check = case.check_of(cause)
    parts = {"task": shown(case.plan.task, 90) or case.failure.domain.replace("_", " ")}
    parts |= check_parts(check) if check else {"criterion": cause.about, "name": cause.about}
    parts |= cause.parts
    if check is not None and check.is_verdict:
        parts["name"] = parts["criterion"] = words["missed"]["verdict name"]
    names = data_read("words.json")[f"lesson names {case.language}"] if "questions" in cause.parts else {}
    parts["missed"] = missed_said(check, case.language, names) if check and check.result.met is False else ""
    others = [other for other in case.failed if other is not check][:2]
    missed = [missed_said(other, case.language, names) for other in others]
    parts["also"] = {"en": " and ", "es": " y "}[case.language].join(missed)
    parts["name"] = names.get(normalised(parts["name"]), parts["name"])
    option = case.option
    if option and option.lower() not in parts["task"].lower() and option != cause.parts.get("better"):
        parts["option"] = option
    if parts.get("measured", "") in ("0", "1"):
        parts["measured"] = ""
    if parts.get("origin"):
        parts["origin"] = words["origins"].get(parts["origin"], parts["origin"])
    if parts.get("content"):
        parts["content"] = shown(case.feedback, 60)
    times = int(parts.get("times") or 0)
    parts["times_said"] = _ORDINALS[case.language].get(times, "")
    parts["percent_done"] = parts.get("percent", "") if "questions" in parts else ""
    parts["percent"] = check_parts(check).get("percent", "") if check else ""
    if cause.kind is CauseKind.UNIT_MIXED:
        parts["missed"] = re.sub(r"(?:, |: )[^,:]+ (?:too \w+|de m[áae]\w+).*$", "", parts["missed"])
    for name in ("name", "other", "better", "missed"):
        text = parts.get(name, "")
        parts[name.capitalize()] = text[:1].upper() + text[1:]
    return parts


def check_parts(check: Check) -> dict[str, str]:
    """Names and numbers of one criterion."""
    actual = shown(check.result.actual, 40)
    if isinstance(check.result.actual, list):
        items = ", ".join(filter(None, (shown(item, 20) for item in check.result.actual[:3])))
        actual = items if check.found is None else number_shown(check.found)
    written = _SIGN.split(check.criterion.text)
    limit = shown(written[1] if len(written) == 2 else (check.result.expected or "").lstrip("<>=! "), 40)
    parts = {
        "criterion": shown(check.result.criterion, 70),
        "name": check.name,
        "found": _share(check, check.found) or actual,
        "limit": _share(check, check.wanted) or limit,
        "thing": shown(check.result.criterion.removeprefix("no ").removeprefix("sin "), 50),
    }
    if check.wanted is not None and check.found is not None and check.side:
        gap = abs(check.found - check.wanted)
        parts["gap"] = "" if _share(check, check.wanted) else number_shown(gap)
        if not check.is_date and check.wanted and gap:
            percent = 100 * gap / abs(check.wanted)
            if percent > 1_000:
                return parts
            parts["percent"] = number_shown(round(percent, 1) if percent < 10 else round(percent))
    return parts


def _share(check: Check, number: float | None) -> str:
    """A share of 1 as people say it."""
    share = check.parse is not None and check.parse.value_type is ValueType.PERCENT
    lesson = check.field in ("accuracy", "precision") and check.wanted is not None and check.wanted <= 1
    if number is None or not (share or lesson) or number > 100:
        return ""
    return f"{number_shown(round(100 * number, 1))} %"


def missed_said(check: Check, language: str, names: Mapping[str, str]) -> str:
    """How a criterion was missed; `names` are other names of fields."""
    forms: dict[str, str] = data_read(f"analysis_{language}.json")["missed"]
    parts = check_parts(check)
    return filled(forms[_form(check)], {**parts, "name": names.get(normalised(parts["name"]), parts["name"])})


def _form(check: Check) -> str:
    parse = check.parse
    if check.is_verdict:
        return "verdict finish" if check.parse and check.parse.field in ("finishes", "termina", "finish") else "verdict"
    if check.kind is CriterionKind.PRESENCE:
        return "presence"
    if check.kind is CriterionKind.ABSENCE:
        return "absence count" if _is_count(check.result.actual) else "absence"
    if check.kind is CriterionKind.EQUALITY and parse is not None and parse.operator.value == "==":
        return "equal"
    if check.side and check.result.expected:
        return f"date {check.side}" if check.is_date else check.side
    return "other"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _variant(kind: dict[str, Any], cause: Cause, part: str) -> list[str]:
    """The sentences that fit what is known of the cause."""
    keys = (f"{part} {name}" for name in _VARIANTS if cause.parts.get(name))
    variant: list[str] = kind[next((key for key in keys if key in kind), part)]
    return variant


def _opening(words: dict[str, Any], parts: dict[str, str], case: Case, cause: Cause, seed: str) -> str:
    check = case.check_of(cause)
    if check is None or check.result.met is not False:
        if parts["also"]:
            parts = {**parts, "missed": parts["also"], "also": ""}
            return chosen(words["opening"], parts, seed)
        return chosen(words["opening verdict" if case.rejected else "opening unknown"], parts, seed)
    verdict = check.is_verdict and cause.kind is not CauseKind.LESSON_GIVEN_UP
    return chosen(words["opening verdict" if verdict else "opening"], parts, seed)


def _recurring(words: dict[str, Any], parts: dict[str, str], case: Case, attempt: int, seed: str) -> str:
    """The news where the cause was named before: where it shows this time."""
    names = {normalised(word) for word in parts["name"].split()}
    steps = [step for step in case.plan.steps[:-1] if not names & set(normalised(step.description).split())]
    deed = shown(re.sub(r"[:(;].*", "", steps[-1].description), 60) if steps else ""
    values = {**parts, "deed": deed[:1].lower() + deed[1:], "domain": shown(case.reading_topic, 50)}
    return chosen(words["repeats"][str(min(max(attempt, 2), 3))], values, seed)


def _before(words: dict[str, Any], parts: dict[str, str], seed: str) -> str:
    """How often it happened before; empty where other sentences say so."""
    times = int(parts.get("before") or 0)
    if not times or (parts.get("times") and times < _OFTEN):
        return ""
    return chosen(words["before"]["often" if times >= _OFTEN else "once"], parts, seed)


def _rival(words: dict[str, Any], cause: Cause, parts: dict[str, str], seed: str) -> str:
    """The next candidate, where much speaks for it."""
    if not cause.others:
        return ""
    kind, score = cause.others[0]
    if frozenset((cause.kind, kind)) in _SAME or score < max(RIVAL_AT_LEAST, cause.score - RIVAL_WITHIN):
        return ""
    rival = chosen([words["kinds"][kind.value]["rival"]], parts, seed)
    return chosen(words["rival"], {**parts, "rival": rival}, seed) if rival else ""
