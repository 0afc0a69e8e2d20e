"""What a model wrote, held against the failure that it is about: its figures, its criteria, its language, its secrets.

What cannot be told is let through: the gate judges how good it is. Words and claims: `data/said.json`.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from evaluation.contracts import CriterionResult
from planning.grammar import criterion_parse
from planning.learning import folded
from planning.understanding import language_of
from reflection.contracts import Reflection
from reflection.discretion import leaves_of, lists, secret_values, secrets_in
from reflection.failure import Failure

_NUMBER: Final = re.compile(r"\d{1,15}(?:[.,]\d{1,15}){0,4}")
_SAID: Final = re.compile(rf"(?<![\w.,]){_NUMBER.pattern}")
_SCALE: Final = re.compile(r"(?:/ ?|\bout of |\bsobre |\bscale of )(?:5|10|20|100)\b(?! ?%)|\b24/7\b")
_ID: Final = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_QUOTED: Final = re.compile(r"\"[^\"]{0,200}\"|“[^”]{0,200}”|«[^»]{0,200}»|`[^`]{0,200}`|'[^']{3,200}'(?!\w)")
_LANGUAGES: Final = {"en": "English", "es": "Spanish"}
_ORDINARY: Final = 2
"""Up to here a number may just be part of speech."""
_TELLS, _SHORT = 3, 40
"""Words of a language that tell it, and characters of a text that tells nothing."""
_FOREIGN_LETTERS: Final = 0.2
_CRITERIA, _FAULTS, _READ = 50, 8, 2_000
_SIGN: Final = re.compile(r"\s*(?:>=|<=|==|!=|[<>=≥≤])\s*")


def said_faults(reflection: Reflection, failure: Failure) -> list[str]:
    """Why what was written is not followed; empty where it is."""
    texts = [reflection.analysis, reflection.learning, *reflection.patterns_identified]
    faults = [*_numbers_made_up(reflection, failure), *_criteria_mistaken(reflection.analysis, failure)]
    faults += _wrong_language(reflection, failure)
    faults += _secrets_told([*texts, *reflection.strategy_adjustments], failure)
    return list(dict.fromkeys(faults))[:_FAULTS]


# Figures


def _numbers_made_up(reflection: Reflection, failure: Failure) -> Iterator[str]:
    """What is proposed may be new, and what is learned may repeat it."""
    seen = _numbers_said(" ; ".join([reflection.analysis, *reflection.patterns_identified]))
    learned = _numbers_said(reflection.learning)
    if not (seen or learned):
        return
    known, counts = _known(failure), _counts(failure)
    proposed = {_rounded(value) for text in reflection.strategy_adjustments for value in _numbers_in(text)}
    for number in dict.fromkeys([*seen, *learned]):
        on_record = known if number in seen else known | proposed
        if not any(_rounded(one) in on_record or (one == int(one) and one <= counts) for one in _values(number)):
            yield f"the number {number} stands nowhere"


def _numbers_said(text: str) -> list[str]:
    return _SAID.findall(_SCALE.sub(" ", text))


def _counts(failure: Failure) -> int:
    """Up to here a number may be part of speech, or count criteria, steps or episodes."""
    plan = failure.plan
    counted = [len(one) for one in (failure.evaluation.criteria_met, plan.steps, plan.constraints)]
    return max(_ORDINARY, len(failure.past) + 1, *counted)


def _known(failure: Failure) -> set[float]:
    """Every number that is on record, shares of what is counted, and how far criteria were missed."""
    evaluation = failure.evaluation
    found = {value for text in _on_record(failure) for number in _NUMBER.findall(text) for value in _values(number)}
    found |= {100 * value for value in found if 0 < value < 1}
    for total in {len(evaluation.criteria_met), len(failure.past), len(failure.past) + 1}:
        found |= {100 * part / total for part in range(1, total)}
    for check in evaluation.criteria_met[:_CRITERIA]:
        found |= set(_distances(check))
    return {near for value in found for near in _near(value)} | {100.0}


def _on_record(failure: Failure) -> list[str]:
    plan, evaluation = failure.plan, failure.evaluation
    kept = {"past_learnings", "learned_constraints", "preferences", "applied_adjustments"}
    texts = [
        plan.model_dump_json(exclude={"id": True, "user_id": True, "metadata": True}),
        json.dumps(plan.metadata.model_dump(include=kept)),
        evaluation.model_dump_json(exclude={"id", "plan_id", "cost_microcents"}),
        *(str(value)[:_READ] for _, value in leaves_of(failure.result)),
        *(one.content for one in failure.past),
        *(f"{one.analysis} {one.learning} {' '.join(one.adjustments)}" for one in failure.reflections),
        *(f"{one.adjustment.text} {one.adjustment.value}" for one in failure.adjustments),
    ]
    return [_ID.sub(" ", text) for text in texts]


def _distances(check: CriterionResult) -> Iterator[float]:
    """From what was read to what was wanted: the difference, its share of either, and how many times as much it is."""
    read, wanted = (_numbers_in(said) for said in (check.actual, check.expected))
    for one in read[:3]:
        for other in wanted[:3]:
            yield abs(one - other)
            yield from (100 * abs(one - other) / of for of in (one, other) if of)
            shares = [first / second for first, second in ((one, other), (other, one)) if second]
            yield from (many for share in shares for many in (share, 100 * share))


def _numbers_in(said: Any) -> list[float]:
    return [value for number in _NUMBER.findall(str(said)[:200]) for value in _values(number)]


def _near(value: float) -> tuple[float, ...]:
    return (*(_rounded(round(value, places)) for places in (0, 1, 2)), float(int(value)), _rounded(value))


def _rounded(value: float) -> float:
    return round(value, 6)


def _values(number: str) -> set[float]:
    """What a number may mean: "1,200" is 1200, or 1.2; "1.200,50" is 1200.5; "1.2.3" is three numbers."""
    parts = re.split(r"[.,]", number)
    if len(parts) == 1:
        return {float(number)}
    whole, last = "".join(parts[:-1]), parts[-1]
    found = {float(f"{whole}.{last}")} if len(parts) == 2 or all(len(part) == 3 for part in parts[1:-1]) else set()
    if all(len(part) == 3 for part in parts[1:]):
        found.add(float(whole + last))
    return found or {float(part) for part in parts}


# Criteria


def _criteria_mistaken(analysis: str, failure: Failure) -> Iterator[str]:
    """What was met said to have failed, and what failed said to have been met."""
    plain = folded(" ".join(analysis.split()))
    checks = failure.evaluation.criteria_met[:_CRITERIA]
    names = {check.criterion: _names(check) for check in checks}
    failed = {name for check in checks if check.met is False for name in names[check.criterion]}
    met = {name for check in checks if check.met is True for name in names[check.criterion]}
    for check in checks:
        mine = names[check.criterion]
        if check.met is True and _claims(plain, mine - failed, "claims_failed"):
            yield f"{check.criterion!r} was met, and is said to have failed"
        if check.met is False and _claims(plain, mine - met, "claims_met"):
            yield f"{check.criterion!r} failed, and is said to have been met"


def _names(check: CriterionResult) -> set[str]:
    """What a criterion is about, folded, with and without its unit: "quality" and "hotel quality"."""
    parse = criterion_parse(check.source[:500])
    said = [_SIGN.split(text)[0] for text in (check.criterion, check.source)] + ([parse.field] if parse else [])
    plain = {re.sub(r"[\W_]+", " ", folded(one)).strip() for one in said}
    plain |= {first for first, _, last in (one.rpartition(" ") for one in plain) if last in lists()["units"]}
    return {one for one in plain if 2 < len(one) <= 60 and not any(sign.isdigit() for sign in one)}


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
    letters = [one for one in prose if one.isalpha()]
    foreign = sum("LATIN" not in unicodedata.name(one, "") for one in letters[:2_000])
    if foreign > _FOREIGN_LETTERS * max(1, len(letters[:2_000])):
        return True
    words = re.findall(r"\w+", prose[:4_000].lower())
    counts = {name: sum(word in own for word in words) for name, own in _words_of().items()}
    most = max(counts.values())
    if most >= _TELLS and most > counts[language]:
        return True
    if most >= _TELLS and counts[language] == most:
        return False
    return language_of(prose, otherwise="es" if language == "es" else "en") != language


@cache
def _words_of() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in lists()["words_of"].items()}


# Secrets


def _secrets_told(texts: Sequence[str], failure: Failure) -> Iterator[str]:
    if any(secret_values().search(text) for text in texts):
        yield "it tells an address, a card, an account or a key"
    secrets = secrets_in(failure.result) | secrets_in(failure.plan.config.settings)
    plain = folded(" ".join(texts))
    if any(re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", plain) for secret in secrets):
        yield "it tells what the result keeps secret"
