"""Pairs of reflections as the rules write them, on failures with a planted cause.

What was planted for development is fitted to; `planted_failures.jsonl` is held out. Batch 3.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from benchmarks.planted import DEVELOPMENT, HELD_OUT, MORE, failures_of
from benchmarks.reflection_pairs import Pair
from memory.contracts import ActiveAdjustment
from planning.experience import adjustment_parse, adjustments_apply
from planning.understanding import task_read
from reflection.causes import Cause, CauseKind
from reflection.causes.detect.choosing import causes_ranked
from reflection.causes.detect.reading import Case
from reflection.causes.wording.analysis import analysis_of
from reflection.causes.wording.learning import learning_of
from reflection.causes.wording.writing import reflection_of
from reflection.contracts.failure import Failure, PastEpisode
from reflection.quality.measures import embedded_text

BATCH: Final = 3
_WORDINGS, _CAUSES = 3, 4
_CAUSE_AT_LEAST = 0.45
_AT_MOST, _HELD_OUT_AT_MOST = 200, 100
_NUMBER: Final = re.compile(r"(?<![\w.,])\d+(?![\w.,]*\d)")
_NAME: Final = re.compile(r"(?<=\w )[A-ZÁÉÍÓÚÑ]\w+")
_NAMES: Final = ("Oslo", "Quito", "Lima", "Toledo", "Marta", "Bergen", "Altavista", "Norwood", "Ribera", "Castell")


@dataclass(frozen=True)
class _Said:
    """A reflection on a failure, and why it says that it failed."""

    kind: CauseKind
    language: str
    text: str


def rule_pairs() -> list[Pair]:
    """Of each failure: its causes in all wordings, languages, places and numbers, also with an adjustment in force.

    Needs a database, in which the plans are stored. Of each kind a sample.
    """
    by_kind: dict[tuple[str, bool], list[Pair]] = defaultdict(list)
    for name, held_out in ((DEVELOPMENT, False), (MORE, False), (HELD_OUT, True)):
        for pair in _pairs_of([failure for _row, failure in failures_of(name)], held_out=held_out):
            by_kind[pair.kind, held_out].append(pair)
    chance = random.Random(3)
    most = {True: _HELD_OUT_AT_MOST, False: _AT_MOST}
    return [one for (_, held), found in by_kind.items() for one in chance.sample(found, min(len(found), most[held]))]


def _pairs_of(failures: Sequence[Failure], *, held_out: bool) -> Iterator[Pair]:
    chance = random.Random(11)
    said = [(failure, _said_of(failure)) for failure in failures]
    for at, (failure, own) in enumerate(said):
        other_failure, others = said[(at + 1 + chance.randrange(len(said) - 1)) % len(said)]
        found = [*_copies(own, failure, chance), *_new(own, failure, chance)]
        if other_failure.domain != failure.domain:
            found.append(("another task", False, chance.choice(own), chance.choice(others)))
        for kind, yes, new, old in found:
            if new.text != old.text:
                yield Pair(f"by rules, {kind}", yes, new.text, old.text, BATCH, held_out, new.language)


_Kind = tuple[str, bool, _Said, _Said]


def _copies(own: Sequence[_Said], failure: Failure, chance: random.Random) -> Iterator[_Kind]:
    for old in own:
        same = [one for one in own if one.kind is old.kind and one.text != old.text]
        wordings = [one for one in same if one.language == old.language]
        for new in chance.sample(wordings, min(1, len(wordings))):
            yield "copy: other wording", True, new, old
            yield "copy: other wording, place and numbers", True, _moved(new, failure, chance), old
        yield "copy: other place and numbers", True, _moved(old, failure, chance), old
        translated = [one for one in same if one.language != old.language]
        for new in chance.sample(translated, min(1, len(translated))):
            yield "copy: translated", True, new, old


def _new(own: Sequence[_Said], failure: Failure, chance: random.Random) -> Iterator[_Kind]:
    for old in own:
        for same_language in (True, False):
            fits = [one for one in own if one.kind != old.kind and (one.language == old.language) is same_language]
            for new in chance.sample(fits, min(2 if same_language else 1, len(fits))):
                in_force = ", adjustment in force" if new.kind in (CauseKind.NO_HELP, CauseKind.OVERSHOT) else ""
                kind = f"new: other cause{in_force}" + ("" if same_language else ", other language")
                yield kind, False, _moved(new, failure, chance) if chance.random() < 0.5 else new, old


def _said_of(failure: Failure) -> list[_Said]:
    seen = Case(failure)
    causes = [one for one in causes_ranked(seen) if one.score >= _CAUSE_AT_LEAST][:_CAUSES] or causes_ranked(seen)[:1]
    said = [_said(one, _in_language(failure, lang), at) for one in causes for lang, at in _ways()]
    after = _with_adjustments(failure)
    later = [one for one in causes_ranked(Case(after)) if one.kind not in {cause.kind for cause in causes}][:1]
    return [*said, *(_said(one, _in_language(after, lang), at) for one in later for lang, at in _ways())]


def _ways() -> list[tuple[str, int]]:
    return [(language, attempt) for language in ("en", "es") for attempt in range(1, _WORDINGS)]


def _in_language(failure: Failure, language: str) -> Failure:
    """The same failure, written of in this language."""
    metadata = failure.plan.metadata.model_copy(update={"language": language})
    return replace(failure, plan=failure.plan.replaced(metadata=metadata))


def _said(cause: Cause, failure: Failure, attempt: int) -> _Said:
    seen = Case(failure)
    again = next((one for one in causes_ranked(seen) if one.kind is cause.kind), cause)
    analysis = analysis_of(again, seen, attempt, repeats=attempt > 1)
    return _Said(cause.kind, failure.language, embedded_text(analysis, learning_of(again, seen)))


def _with_adjustments(failure: Failure) -> Failure:
    """The next failure of the kind, with what the first reflection adjusted in force."""
    texts = reflection_of(failure, ()).strategy_adjustments
    parsed = [one for one in map(adjustment_parse, texts) if one]
    active = tuple(ActiveAdjustment(id=f"r:{at}", reflection_id="r", adjustment=one) for at, one in enumerate(parsed))
    reading = task_read(failure.plan.task, failure.plan.metadata.task_type)
    missed = [check.criterion for check in failure.evaluation.criteria_met if check.met is False]
    episode = PastEpisode("before", failure.plan.task, True, frozenset(f"fails:{one}" for one in missed))
    plan = adjustments_apply(failure.plan, active, reading)
    return replace(failure, plan=plan, adjustments=(*failure.adjustments, *active), past=(*failure.past, episode))


def _moved(said: _Said, failure: Failure, chance: random.Random) -> _Said:
    """With other names in the task and other numbers."""
    text = said.text
    for name in dict.fromkeys(_NAME.findall(failure.plan.task)):
        text = text.replace(name, chance.choice(_NAMES))
    return replace(said, text=_NUMBER.sub(lambda found: str(int(found[0]) + chance.randint(1, 4)), text))
