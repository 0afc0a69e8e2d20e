"""From a memory to what it says: sentence by sentence, what was refused or welcome, and under which conditions."""

import re
from itertools import pairwise
from typing import Final

from language.tokens import any_of
from memory.contracts import EpisodeOutcome, Memory, MemoryType
from planning.criteria import CriterionKind, CriterionParse
from planning.experience.conditions import absence_of, bound_of, negated, parsed, presence_of
from planning.experience.fields import field_key, fields, quality_in
from planning.experience.forms import (
    MEASURED,
    PLACES,
    SAYING,
    TAKEN,
    Hit,
    condition_read,
    hits_of,
    is_fault,
    is_praise,
    segments_of,
    things_in,
)
from planning.experience.sayings import (
    Saying,
    are_fields,
    disliked,
    first_of_all,
    hard,
    liked,
    over,
    phrase_of,
    refused_thing,
    ruled_out,
    too_high,
    too_much,
    too_much_es,
    weak,
)
from planning.experience.words import CONTENT_AT_MOST, memory_sentences, normalised, speaks_to_a_model, words_named

WISH_AT_MOST: Final = 5
_DASH: Final = re.compile(r"\s[-–—]\s")
_CHAIN: Final = re.compile(r"[^\W\d_][\w '/-]{0,60}(?:\s?>\s?[^\W\d_][\w '/-]{0,60})+")
_LESS: Final = re.compile(r"([^\W\d_][\w '/-]{0,60}?)\s?<\s?([^\W\d_][\w '/-]{0,60})")
_MUST: Final = re.compile(rf"\b(?:{any_of(words_named('obliges'))})\b")
_AMOUNT: Final = re.compile(r"[€$£]?\s?\d[\d.,]*\s?(?:[€$£%]|[a-z]{1,12})?", re.IGNORECASE)
_REFUSED: Final = frozenset(("reject", "too", "lacking", "avoid"))
_WELCOME: Final = frozenset(("welcome", "accept", "like"))
_DESCRIBES: Final = re.compile(r"sort|order|priori(?:ty|dad)|orden")


def sayings_of(memory: Memory) -> list[Saying]:
    """What the memory says, each thing once. Nothing where it reads like instructions to a model."""
    content = memory.content[:CONTENT_AT_MOST]
    if speaks_to_a_model(content):
        return []
    sayings: list[Saying] = []
    for sentence in memory_sentences(content):
        plain = _DASH.sub(", ", sentence)
        if not plain.rstrip(" \"'").endswith("?"):
            sayings += _Sentence(plain, memory).sayings()
    return list(dict.fromkeys(sayings))


class _Sentence:
    """A sentence of a memory."""

    def __init__(self, text: str, memory: Memory) -> None:
        self._text, self._folded = text, normalised(text)
        self._failed = memory.outcome == EpisodeOutcome.FAILURE
        self._welcome = memory.outcome == EpisodeOutcome.SUCCESS
        self._stated = memory.memory_type == MemoryType.SEMANTIC
        self._out: list[Saying] = []

    def sayings(self) -> list[Saying]:
        left = self._symbols()
        self._hits = [hit for hit in hits_of(left) if self._gives_reason(hit) and not self._is_no_statement(hit)]
        self._left = left
        self._bounded: set[str] = set()
        idle: list[Hit] = []
        for hit in self._hits:
            if hit.section in SAYING:
                before = len(self._out)
                self._said(hit)
                if len(self._out) == before:
                    idle.append(hit)
                    continue
                self._left = self._left[: hit.said] + TAKEN * (hit.end - hit.said) + self._left[hit.end :]
        self._hits = [hit for hit in self._hits if hit not in idle]
        self._conditions()
        self._refusals()
        if self._stated and not self._out and all(hit.section == "lacking" for hit in self._hits):
            self._wish()
        return self._out

    def _wish(self) -> None:
        """A preference that is nothing but its subject: "vegetarian food", "no hostels"."""
        parse = parsed(self._text)
        if parse is not None and parse.kind == CriterionKind.ABSENCE:
            self._hold(parse)
        elif len(self._text.split()) <= WISH_AT_MOST and not MEASURED.search(self._text):
            self._out += liked(self._text)

    # "quality > price"

    def _symbols(self) -> str:
        left = self._folded
        for match in _CHAIN.finditer(self._folded):
            names = re.split(r"\s?>\s?", self._text[match.start() : match.end()])
            sayings = [saying for pair in pairwise(names) for saying in over(*pair)]
            left = self._taken(left, match, sayings)
        for match in _LESS.finditer(left):
            sayings = over(self._text[match.start(2) : match.end(2)], self._text[match.start(1) : match.end(1)])
            left = self._taken(left, match, sayings)
        return left

    def _taken(self, left: str, match: re.Match[str], sayings: list[Saying]) -> str:
        if sayings and not self._failed:
            self._out += sayings
        return left[: match.start()] + TAKEN * (match.end() - match.start()) + left[match.end() :] if sayings else left

    # Forms

    def _slot(self, hit: Hit, name: str) -> str:
        start, end = hit.slots[name]
        return self._text[start:end]

    def _before(self, hit: Hit) -> str:
        """The clause up to the form."""
        return re.split(r"[,;:()|]", self._folded[: hit.start])[-1]

    def _is_no_statement(self, hit: Hit) -> bool:
        before = self._before(hit)
        if re.search(rf"\b(?:{any_of(words_named('is no statement'))})\b", before):
            return True
        if hit.section in ("like", "over", "under", "first", "need") and re.search(
            rf"\b(?:{any_of(words_named('somebody else'))})\s*$", before
        ):
            return True
        return hit.section not in ("accept", "welcome") and self._is_taken_back(hit)

    def _is_taken_back(self, hit: Hit) -> bool:
        last = " ".join(self._before(hit).split()[-3:])
        return bool(re.search(rf"(?:^|\s|n)(?:{any_of(words_named('takes it back'))})(?:\s+\w+)?$", last))

    def _said(self, hit: Hit) -> None:
        match hit.section:
            case "over":
                self._out += over(self._slot(hit, "a"), self._slot(hit, "b"))
            case "under":
                self._out += over(self._slot(hit, "b"), self._slot(hit, "a"))
            case "over fields":
                first, second = self._slot(hit, "a"), self._slot(hit, "b")
                self._out += over(first, second) if are_fields(first, second) else liked(f"{first} to {second}")
            case "first":
                if not (self._failed and _DESCRIBES.search(self._folded[hit.start : hit.said])):
                    self._out += first_of_all(self._slot(hit, "a" if "a" in hit.slots else "b"))
            case "below" | "above":
                operator = ">=" if hit.section == "below" else "<="
                last = phrase_of(self._slot(hit, "a")).split()[-2:]
                self._hold(parsed(f"{' '.join(last)} {operator} {self._slot(hit, 'limit')}"))
            case "budget":
                name = fields()["price"].name(hit.language)
                amount = _AMOUNT.search(self._slot(hit, "x"))
                self._hold(parsed(f"{name} <= {amount[0]}") if amount else None)
            case "avoid":
                self._ruled_out(self._slot(hit, "x"), hit.language)
            case "need":
                self._needed(self._slot(hit, "x"), hit.language)
            case _:
                self._liked(self._slot(hit, "x"))

    def _hold(self, parse: CriterionParse | None) -> None:
        if parse is not None:
            self._out.append(hard(parse))
            self._bounded.add(field_key(parse.field))

    def _ruled_out(self, text: str, language: str) -> None:
        if MEASURED.search(text) and (parse := condition_read(text)):
            self._hold(negated(parse))
            return
        for name in things_in(text):
            parse = absence_of(name, language)
            self._out.append(hard(parse) if parse else ruled_out(name, language))

    def _needed(self, text: str, language: str) -> None:
        if MEASURED.search(text):
            self._hold(condition_read(text))
            return
        for name in things_in(text):
            parse = presence_of(name, language)
            self._out += [hard(parse)] if parse else liked(name)

    def _liked(self, text: str) -> None:
        if MEASURED.search(text) and (parse := condition_read(text)) and bound_of(parse):
            self._out.append(hard(parse) if _MUST.search(normalised(text)) else weak(parse))
        else:
            self._out += liked(text)

    # Conditions

    def _conditions(self) -> None:
        events = [hit for hit in self._hits if hit.section in _REFUSED | _WELCOME | {"need"}]
        for start, text in segments_of(self._left, self._hits):
            parse = condition_read(self._text[start : start + len(text)])
            event = max((hit for hit in events if hit.start <= start), key=lambda hit: hit.start, default=None)
            event = event or min(events, key=lambda hit: hit.start, default=None)
            if parse is None:
                self._bare_amount(text, event)
            else:
                self._condition(parse, event, start)

    def _condition(self, parse: CriterionParse, event: Hit | None, start: int) -> None:
        if event is None:
            self._unattached(parse, start)
        elif event.section == "need":
            self._hold(parse)
        elif event.section in _REFUSED or self._is_taken_back(event):
            other = negated(parse)
            if not is_praise(parse):
                self._hold(other)
        else:
            self._out.append(weak(parse))

    def _unattached(self, parse: CriterionParse, start: int) -> None:
        """A condition without a refusal or a welcome. A wish states; elsewhere it depends on the outcome."""
        if self._failed:
            if is_fault(parse):
                self._hold(negated(parse))
        elif self._stated or _MUST.search(self._folded):
            self._hold(parse)
        else:
            self._out.append(weak(parse))

    def _bare_amount(self, text: str, event: Hit | None) -> None:
        """An amount that is the reason: "too expensive (350 €)"."""
        if event is None or event.section not in ("too", "reject") or not _AMOUNT.fullmatch(text.strip()):
            return
        match = quality_in(self._folded[event.start :])
        if match is not None and match[0].field and match[0].side and match[0].over is None:
            name = fields()[match[0].field].name(match[1])
            self._hold(parsed(f"{name} {'<' if match[0].side == 'high' else '>'} {text.strip()}"))

    # What was refused or welcome

    def _refusals(self) -> None:
        bounded = frozenset(self._bounded)
        refused = [hit for hit in self._hits if hit.section == "reject"]
        giving = ("too", "lacking", "because") if refused or self._failed else ("too",)
        reasons = [hit for hit in self._hits if hit.section in giving]
        for hit in reasons:
            self._reason(hit, bounded)
        for hit in refused:
            if "x" in hit.slots and not reasons:
                self._refused(self._slot(hit, "x"), bounded)
        for hit in self._hits:
            if hit.section == "welcome" and "x" in hit.slots:
                thing = self._slot(hit, "x")
                if self._is_taken_back(hit):
                    self._refused(thing, bounded)
                elif not MEASURED.search(self._folded):
                    self._out += liked(PLACES.split(thing)[0]) or liked(thing)

    def _gives_reason(self, hit: Hit) -> bool:
        """Whether the hit is a reason; after "because" only an adjective is."""
        match = quality_in(self._slot(hit, "x")) if hit.section == "because" else None
        return hit.section != "because" or (match is not None and match[2] == 0)

    def _reason(self, hit: Hit, bounded: frozenset[str]) -> None:
        text = self._slot(hit, "x")
        if hit.section == "lacking":
            for name in things_in(text):
                parse = None if hit.end > hit.slots["x"][1] else presence_of(name, hit.language)
                self._out += [hard(parse)] if parse else liked(name)
        elif higher := too_high(text.split()[0], self._before(hit)):
            self._out += higher
        elif (own := self._folded[hit.start : hit.said]).startswith("demasiad") and quality_in(text) is None:
            self._out += too_much_es(text, not own.startswith("demasiado "))
        else:
            self._out += too_much(text, bounded)

    def _refused(self, text: str, bounded: frozenset[str]) -> None:
        thing = PLACES.split(text)[0]
        follows = refused_thing(thing, bounded)
        if (
            not follows
            and not bounded
            and quality_in(thing) is None
            and not MEASURED.search(text)
            and not _is_asked(thing)
        ):
            follows = disliked(thing)
        self._out += follows


def _is_asked(thing: str) -> bool:
    """Whether it names only the thing that was asked for: "the loan"."""
    words = normalised(thing).split()
    return len(words) == 2 and words[0] in words_named("the one asked for")
