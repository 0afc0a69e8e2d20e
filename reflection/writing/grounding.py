"""Whether a model's reflection is grounded in the failure: its figures, its criteria, its language, its secrets.

Doubtful cases pass: the gate judges how good they are. Words and claims: `data/said.json` of `redaction`.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

from evaluation.contracts import CriterionResult
from language.detect import language_of
from planning.criteria import criterion_parse
from planning.experience import normalised
from reflection.contracts import Reflection
from reflection.contracts.failure import Failure
from reflection.redaction import leaves_of, lists, secret_values, secrets_in

_NUMBER: Final = re.compile(r"\d{1,15}(?:[.,]\d{1,15}){0,4}")
_FIGURE: Final = re.compile(rf"(?<![\w.,]){_NUMBER.pattern}")
_SCALE: Final = re.compile(r"(?:/ ?|\bout of |\bsobre |\bscale of )(?:5|10|20|100)\b(?! ?%)|\b24/7\b")
_ID: Final = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_QUOTED: Final = re.compile(r"\"[^\"]{0,200}\"|“[^”]{0,200}”|«[^»]{0,200}»|`[^`]{0,200}`|'[^']{3,200}'(?!\w)")
_LANGUAGES: Final = {"en": "English", "es": "Spanish"}
_ORDINARY: Final = 2
"""Up to here a number may just be part of speech."""
_RECOGNISED, _SHORT = 3, 40
"""Words by which a language is recognised, and characters of a text that is too short for it."""
_FOREIGN_LETTERS: Final = 0.2
_CRITERIA, _FAULTS, _READ = 50, 8, 2_000
_SIGN: Final = re.compile(r"\s*(?:>=|<=|==|!=|[<>=≥≤])\s*")


def grounding_faults(reflection: Reflection, failure: Failure) -> list[str]:
    """Reasons not to follow the reflection; empty where it is grounded."""
    texts = [reflection.analysis, reflection.learning, *reflection.patterns_identified]
    faults = [*_numbers_made_up(reflection, failure), *_criteria_mistaken(reflection.analysis, failure)]
    faults += _wrong_language(reflection, failure)
    faults += _secrets_told([*texts, *reflection.strategy_adjustments], failure)
    return list(dict.fromkeys(faults))[:_FAULTS]


# Figures


def _numbers_made_up(reflection: Reflection, failure: Failure) -> Iterator[str]:
    """Numbers of proposals may be new, and the learning may repeat them."""
    analysed = _figures(" ; ".join([reflection.analysis, *reflection.patterns_identified]))
    learned = _figures(reflection.learning)
    if not (analysed or learned):
        return
    recorded, count = _recorded_numbers(failure), _largest_count(failure)
    proposed = {_rounded(value) for text in reflection.strategy_adjustments for value in _numbers_in(text)}
    for number in dict.fromkeys([*analysed, *learned]):
        known = recorded if number in analysed else recorded | proposed
        if not any(_rounded(value) in known or (value == int(value) and value <= count) for value in _values(number)):
            yield f"the number {number} stands nowhere"


def _figures(text: str) -> list[str]:
    return _FIGURE.findall(_SCALE.sub(" ", text))


def _largest_count(failure: Failure) -> int:
    """Up to here a number may be part of speech, or count criteria, steps or episodes."""
    plan = failure.plan
    counts = (len(failure.evaluation.criteria_met), len(plan.steps), len(plan.constraints))
    return max(_ORDINARY, len(failure.past) + 1, *counts)


def _recorded_numbers(failure: Failure) -> set[float]:
    """Every number in the failure and its history, shares of counts, and how far criteria were missed."""
    evaluation = failure.evaluation
    numbers = {value for text in _on_record(failure) for number in _NUMBER.findall(text) for value in _values(number)}
    numbers |= {100 * value for value in numbers if 0 < value < 1}
    for total in {len(evaluation.criteria_met), len(failure.past), len(failure.past) + 1}:
        numbers |= {100 * part / total for part in range(1, total)}
    for check in evaluation.criteria_met[:_CRITERIA]:
        numbers |= set(_distances(check))
    return {
        _rounded(near) for value in numbers for near in (*(round(value, n) for n in (0, 1, 2)), int(value), value)
    } | {100.0}


def _on_record(failure: Failure) -> list[str]:
    plan, evaluation = failure.plan, failure.evaluation
    experience = {"past_learnings", "learned_constraints", "preferences", "applied_adjustments"}
    texts = [
        plan.model_dump_json(exclude={"id": True, "user_id": True, "metadata": True}),
        json.dumps(plan.metadata.model_dump(include=experience)),
        evaluation.model_dump_json(exclude={"id", "plan_id", "cost_microcents"}),
        *(str(value)[:_READ] for _, value in leaves_of(failure.result)),
        *(episode.content for episode in failure.past),
        *(f"{past.analysis} {past.learning} {' '.join(map(str, past.adjustments))}" for past in failure.reflections),
        *(f"{active.adjustment.text} {active.adjustment.value}" for active in failure.adjustments),
    ]
    return [_ID.sub(" ", text) for text in texts]


def _distances(check: CriterionResult) -> Iterator[float]:
    """Between the actual and the expected value: the difference, its share of either, and the ratios."""
    for actual, expected in product(_numbers_in(check.actual)[:3], _numbers_in(check.expected)[:3]):
        yield abs(actual - expected)
        yield from (100 * abs(actual - expected) / whole for whole in (actual, expected) if whole)
        ratios = [first / second for first, second in ((actual, expected), (expected, actual)) if second]
        yield from (value for ratio in ratios for value in (ratio, 100 * ratio))


def _numbers_in(value: Any) -> list[float]:
    return [reading for number in _NUMBER.findall(str(value)[:200]) for reading in _values(number)]


def _rounded(value: float) -> float:
    return round(value, 6)


def _values(number: str) -> set[float]:
    """The readings of a number: "1,200" is 1200, or 1.2; "1.200,50" is 1200.5; "1.2.3" is three numbers."""
    parts = re.split(r"[.,]", number)
    if len(parts) == 1:
        return {float(number)}
    integer, last = "".join(parts[:-1]), parts[-1]
    is_decimal = len(parts) == 2 or all(len(part) == 3 for part in parts[1:-1])
    readings = {float(f"{integer}.{last}")} if is_decimal else set()
    if all(len(part) == 3 for part in parts[1:]):
        readings.add(float(integer + last))
    return readings or {float(part) for part in parts}


# Criteria


def _criteria_mistaken(analysis: str, failure: Failure) -> Iterator[str]:
    """Met criteria that the analysis calls failed, and failed ones that it calls met."""
    plain = normalised(" ".join(analysis.split()))
    checks = failure.evaluation.criteria_met[:_CRITERIA]
    names = {check.criterion: _names(check) for check in checks}
    failed = {name for check in checks if check.met is False for name in names[check.criterion]}
    met = {name for check in checks if check.met is True for name in names[check.criterion]}
    for check in checks:
        own = names[check.criterion]
        if check.met is True and _claims(plain, own - failed, "claims_failed"):
            yield f"{check.criterion!r} was met, and is said to have failed"
        if check.met is False and _claims(plain, own - met, "claims_met"):
            yield f"{check.criterion!r} failed, and is said to have been met"


def _names(check: CriterionResult) -> set[str]:
    """The names of the field of a criterion, normalised, with and without its unit: "quality" and "hotel quality"."""
    parse = criterion_parse(check.source[:500])
    fields = [_SIGN.split(text)[0] for text in (check.criterion, check.source)] + ([parse.field] if parse else [])
    names = {re.sub(r"[\W_]+", " ", normalised(field)).strip() for field in fields}
    names |= {first for first, _, last in (name.rpartition(" ") for name in names) if last in lists()["units"]}
    return {name for name in names if 2 < len(name) <= 60 and not any(sign.isdigit() for sign in name)}


def _claims(plain: str, names: set[str], kind: str) -> bool:
    if not any(name in plain for name in names):
        return False
    name = f"(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})"
    return any(re.search(_claim(claim, name), plain) for claim in lists()[kind])


def _claim(claim: str, name: str) -> str:
    begins = "" if claim.startswith("(?:^") else r"(?<!\w)"
    return rf"{begins}(?:{claim.replace('{name}', name)})(?!\w)"


# Language


def _wrong_language(reflection: Reflection, failure: Failure) -> Iterator[str]:
    for text in (reflection.analysis, reflection.learning):
        prose = _QUOTED.sub(" ", text)
        if len(prose) >= _SHORT and _is_other(prose, failure.language):
            yield f"it is not in {_LANGUAGES[failure.language]}"


def _is_other(prose: str, language: str) -> bool:
    letters = [letter for letter in prose if letter.isalpha()][:2_000]
    foreign = sum("LATIN" not in unicodedata.name(letter, "") for letter in letters)
    if foreign > _FOREIGN_LETTERS * max(1, len(letters)):
        return True
    words = re.findall(r"\w+", prose[:4_000].lower())
    counts = {name: sum(word in own for word in words) for name, own in _words_of().items()}
    highest = max(counts.values())
    if highest >= _RECOGNISED:
        return highest > counts[language]
    return language_of(prose, otherwise="es" if language == "es" else "en") != language


@cache
def _words_of() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in lists()["words_of"].items()}


# Secrets


def _secrets_told(texts: Sequence[str], failure: Failure) -> Iterator[str]:
    if any(secret_values().search(text) for text in texts):
        yield "it tells an address, a card, an account or a key"
    secrets = secrets_in(failure.result) | secrets_in(failure.plan.config.settings)
    plain = normalised(" ".join(texts))
    if any(re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", plain) for secret in secrets):
        yield "it tells what the result keeps secret"
