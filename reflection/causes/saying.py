"""A cause in words: what happened with its numbers, why, and the flaw of the strategy. Sentences are in
`data/analysis_*.json`, by language.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from planning.grammar import CriterionKind, ValueType
from planning.learning import folded
from reflection.causes.contracts import Cause, CauseKind
from reflection.causes.force import unreached_of
from reflection.causes.people import voiced_of
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import chosen, data_read, filled, number_shown, sentence, shown
from reflection.contracts import ANALYSIS_AT_LEAST
from reflection.failure import Failure

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


def analysis_of(cause: Cause, failure: Failure) -> str:
    """What went wrong and why, in the language of the plan; at least 100 characters."""
    return analysis_said(cause, Seen(failure))


def analysis_said(
    cause: Cause, seen: Seen, attempt: int = 1, *, repeats: bool = False, pattern: str = "", used_up: bool = False
) -> str:
    """`analysis_of` for a failure that was looked at; another attempt says it in other sentences where there are any.
    `repeats`: the attempt before said what earlier reflections say. `pattern`: what keeps happening, in words.
    `used_up`: there is nothing left to adjust that was not tried.
    """
    words = data_read(f"analysis_{seen.language}.json")
    parts, seed = parts_of(cause, seen), f"{seen.plan.task}:{cause.about}:{attempt}"
    kind = words["kinds"][cause.kind.value]
    check = check_of(cause, seen)
    waits = unreached_of(seen, check)
    said = [
        _opening(words, parts, seen, cause, seed),
        _voiced(words, cause, seen, check),
        _recurring(words, parts, seen, attempt, seed) if repeats else "",
        chosen(_variant(kind, cause, "why"), parts, seed + "why"),
        chosen(_variant(kind, cause, "flaw"), parts, seed + "flaw"),
        chosen(words["pattern"], {"pattern": pattern}, seed) if pattern else _before(words, parts, seed),
        _rival(words, cause, parts, seed),
        filled(words["unreached"], {"adjustment": waits[0].text}) if waits else "",
        filled(words["used up"], parts) if used_up else "",
    ]
    text = " ".join(sentence(one) for one in said if one)
    if seen.language == "es":
        text = _CONTRACTED.sub(lambda match: {"de": "del", "a": "al"}[match[1]], text)
        text = _DECIMAL.sub(lambda match: match[0] if match[1] is None else f"{match[1]},{match[2]}", text)
    return text if len(text) >= ANALYSIS_AT_LEAST else f"{text} {sentence(chosen(kind['flaw'], parts, seed))}"


def _voiced(words: dict[str, Any], cause: Cause, seen: Seen, check: Check | None) -> str:
    """What the user said of it, where that names the criterion."""
    if check is None or check.is_verdict or "feedback" in cause.parts:
        return ""
    said = voiced_of(seen, check)
    return filled(words["voiced"], {"said": said}) if said else ""


def check_of(cause: Cause, seen: Seen) -> Check | None:
    """The criterion that the cause is about."""
    about = next((one for one in seen.checks if one.result.criterion == cause.about), None)
    return about or seen.main


def parts_of(cause: Cause, seen: Seen) -> dict[str, str]:
    """What sentences are filled with."""
    words = data_read(f"analysis_{seen.language}.json")
    check = check_of(cause, seen)
    parts = {"task": shown(seen.plan.task, 90) or seen.failure.domain.replace("_", " ")}
    parts |= check_parts(check) if check else {"criterion": cause.about, "name": cause.about}
    parts |= cause.parts
    if check is not None and check.is_verdict:
        parts["name"] = parts["criterion"] = words["missed"]["verdict name"]
    names = _lesson_names(seen) if "questions" in cause.parts else {}
    parts["missed"] = missed_said(check, seen.language, names) if check and check.result.met is False else ""
    also = [one for one in seen.failed if one is not check][:2]
    parts["also"] = _joined([missed_said(one, seen.language, names) for one in also], seen.language)
    parts["name"] = names.get(folded(parts["name"]), parts["name"])
    option = seen.option
    if option and option.lower() not in parts["task"].lower() and option != cause.parts.get("better"):
        parts["option"] = option
    if parts.get("measured", "") in ("0", "1"):
        parts["measured"] = ""
    if parts.get("origin"):
        parts["origin"] = words["origins"].get(parts["origin"], parts["origin"])
    if parts.get("content"):
        parts["content"] = shown(seen.feedback, 60)
    times = int(parts.get("times") or 0)
    parts["times_said"] = _ORDINALS[seen.language].get(times, "")
    parts["percent_done"] = parts.get("percent", "") if "questions" in parts else ""
    parts["percent"] = check_parts(check).get("percent", "") if check else ""
    if cause.kind is CauseKind.UNIT_MIXED:
        parts["missed"] = re.sub(r"(?:, |: )[^,:]+ (?:too \w+|de m[áae]\w+).*$", "", parts["missed"])
    return parts | {f"{name[:1].upper()}{name[1:]}": _capital(parts.get(name, "")) for name in _CAPITALS}


_CAPITALS: Final = ("name", "other", "better", "missed")


def check_parts(check: Check) -> dict[str, str]:
    """Names and numbers of one criterion."""
    parse = check.parse
    found = shown(check.result.actual, 40)
    if isinstance(check.result.actual, list):
        found = ", ".join(filter(None, (shown(one, 20) for one in check.result.actual[:3])))
        found = found if check.found is None else number_shown(check.found)
    written = _SIGN.split(check.criterion.text)
    limit = shown(written[1] if len(written) == 2 else (check.result.expected or "").lstrip("<>=! "), 40)
    parts = {
        "criterion": shown(check.result.criterion, 70),
        "name": check.name,
        "found": _share(check, check.found) or found,
        "limit": _share(check, check.wanted) or limit,
        "thing": shown(check.result.criterion.removeprefix("no ").removeprefix("sin "), 50),
    }
    if check.wanted is not None and check.found is not None and check.side:
        gap = abs(check.found - check.wanted)
        days = parse is not None and parse.value_type is ValueType.DATE
        parts["gap"] = "" if _share(check, check.wanted) else number_shown(gap)
        if not days and check.wanted and gap:
            percent = 100 * gap / abs(check.wanted)
            if percent > 1_000:
                return parts
            parts["percent"] = number_shown(round(percent, 1) if percent < 10 else round(percent))
    return parts


def _share(check: Check, number: float | None) -> str:
    """A share of 1 as people say it."""
    parse = check.parse
    share = parse is not None and parse.value_type is ValueType.PERCENT
    lesson = check.field in ("accuracy", "precision") and check.wanted is not None and check.wanted <= 1
    if number is None or not (share or lesson) or number > 100:
        return ""
    return f"{number_shown(round(100 * number, 1))} %"


def _lesson_names(seen: Seen) -> dict[str, str]:
    """What the figures of a session are called."""
    names: dict[str, str] = data_read("words.json")[f"lesson names {seen.language}"]
    return names


def missed_said(check: Check, language: str, names: Mapping[str, str]) -> str:
    """How a criterion was missed; `names` are other names of fields."""
    forms: dict[str, str] = data_read(f"analysis_{language}.json")["missed"]
    parts = check_parts(check)
    return filled(forms[_form(check)], {**parts, "name": names.get(folded(parts["name"]), parts["name"])})


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
        return f"date {check.side}" if parse and parse.value_type is ValueType.DATE else check.side
    return "other"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _variant(kind: dict[str, Any], cause: Cause, part: str) -> list[str]:
    """The sentences that fit what is known of the cause."""
    for name in _VARIANTS:
        if cause.parts.get(name) and f"{part} {name}" in kind:
            variant: list[str] = kind[f"{part} {name}"]
            return variant
    plain: list[str] = kind[part]
    return plain


def _opening(words: dict[str, Any], parts: dict[str, str], seen: Seen, cause: Cause, seed: str) -> str:
    check = check_of(cause, seen)
    if check is None or check.result.met is not False:
        if parts["also"]:
            parts = {**parts, "missed": parts["also"], "also": ""}
            return chosen(words["opening"], parts, seed)
        return chosen(words["opening verdict" if seen.rejected else "opening unknown"], parts, seed)
    verdict = check.is_verdict and cause.kind is not CauseKind.LESSON_GIVEN_UP
    return chosen(words["opening verdict" if verdict else "opening"], parts, seed)


def _recurring(words: dict[str, Any], parts: dict[str, str], seen: Seen, attempt: int, seed: str) -> str:
    """What is new where the cause was named before: where it shows this time, and what that says."""
    names = {folded(one) for one in parts["name"].split()}
    steps = [one for one in seen.plan.steps[:-1] if not names & set(folded(one.description).split())]
    deed = shown(re.sub(r"[:(;].*", "", steps[-1].description), 60) if steps else ""
    known = {**parts, "deed": deed[:1].lower() + deed[1:], "domain": shown(seen.reading_topic, 50)}
    return chosen(words["repeats"][str(min(max(attempt, 2), 3))], known, seed)


def _before(words: dict[str, Any], parts: dict[str, str], seed: str) -> str:
    """How often it happened before; nothing where the rest has said so."""
    times = int(parts.get("before") or 0)
    if not times or (parts.get("times") and times < _OFTEN):
        return ""
    return chosen(words["before"]["often" if times >= _OFTEN else "once"], parts, seed)


def _rival(words: dict[str, Any], cause: Cause, parts: dict[str, str], seed: str) -> str:
    """What else it may have been, where that has much for it."""
    if not cause.others or frozenset((cause.kind, cause.others[0][0])) in _SAME:
        return ""
    if cause.others[0][1] < max(RIVAL_AT_LEAST, cause.score - RIVAL_WITHIN):
        return ""
    other = words["kinds"][cause.others[0][0].value]
    said = chosen([other["rival"]], parts, seed)
    return chosen(words["rival"], {**parts, "rival": said}, seed) if said else ""


def _joined(texts: list[str], language: str) -> str:
    return {"en": " and ", "es": " y "}[language].join(texts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
