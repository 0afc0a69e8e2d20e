"""From a criterion as people write it to its meaning. Source: docs/criteria.md.

Rules are patterns over the codes of chunks, and who builds a parse of what they match. A pattern must match the whole
sentence. The first rule that matches and builds wins; their order only matters where one is a special case of another.
The letters are those of sentence.py; "n" is a noun phrase, "p" a lone preposition.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from language import LANGUAGES, Language
from language.detect import english_evidence
from planning.criteria import choices, comparing, presence
from planning.criteria.building import RuleMatch
from planning.criteria.contracts import CriterionParse
from planning.criteria.lexicon import Lexicon, lexicon, tagged
from planning.criteria.nouns import Chunk, chunks_of
from planning.criteria.tokens import TEXT_AT_MOST, Token, criterion_tokens, tidy
from planning.criteria.values import values_merged

Builder = Callable[[RuleMatch], CriterionParse | None]

LINK: Final = "(?P<link>[emkxhqGp]*)"
HEAD: Final = f"(?:(?P<topic>n)(?P<colon>q))??(?P<left>n?){LINK}(?P<mid>n?)"
TAIL: Final = "(?P<tail>n?)(?P<done>[ys]?)"
LIST: Final = r"(?P<list>[nv](?:[,oar]+[nv])*)"


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    pattern: "re.Pattern[str]"
    build: Builder


def _rule(name: str, pattern: str, build: Builder) -> Rule:
    return Rule(name, re.compile(pattern), build)


RULES: Final[tuple[Rule, ...]] = (
    # price between 100 and 200; 2-4 stars; from 18:00 to 20:00
    _rule("range", rf"{HEAD}p?(?P<range>b?)R?(?P<value>v)(?P<sep>[aj])(?P<value2>v){TAIL}", comparing.between),
    # at least 2 and at most 4 bedrooms
    _rule(
        "two limits",
        rf"{HEAD}p?(?P<cmp>[cl])(?P<value>v)[a,]+(?P<link2>[em]*)(?P<cmp2>[cl])(?P<value2>v){TAIL}",
        comparing.two_limits,
    ),
    # such as 100 <= price <= 200, or 7 <= quality
    _rule("between signs", r"(?P<value>v)(?P<cmp>c)(?P<left>n)(?P<cmp2>c)(?P<value2>v)", comparing.between_signs),
    _rule("turned round", r"(?P<value>v)(?P<cmp>c)(?P<left>n)", comparing.turned_round),
    # quality >= 7; at least 2 bedrooms; price: max 200
    _rule("comparison", rf"{HEAD}p?(?P<cmp>[cl])[qpe]*(?P<value>v){TAIL}", comparing.compared),
    # maximum price 200; minimum of 2 beds
    _rule("limit first", rf"(?P<cmp>l)p?(?P<left>n){LINK}(?P<value>v){TAIL}", comparing.compared),
    # 4 stars or more; 200 EUR max; 2 bedrooms or more
    _rule("limit after", rf"{HEAD}p?(?P<value>v)(?P<cmp>[tl]){TAIL}", comparing.compared),
    _rule("limit last", rf"{HEAD}p?(?P<value>v)(?P<tail>n)(?P<cmp>[tl])", comparing.compared),
    # one of A, B or C; not in {A, B}
    _rule("member", rf"(?P<left>n?)(?P<link>[emxqkh]*)(?P<in>[iIN])[(]?{LIST}\)?", choices.member),
    # the cuisine is French or Italian
    _rule("either", rf"(?P<left>n)(?P<link>[emxq]*[eq][x]?)(?P<in>E?){LIST}", choices.alternatives),
    # guests == 4; the status is confirmed; located in Paris
    _rule("equal", rf"(?P<left>n?){LINK}(?P<unequal>Q?)(?P<mid>n?)p?(?P<value>v){TAIL}", comparing.equal),
    _rule("equal text", r"(?P<left>n)(?P<link>[emxqk]*[eqQ][qQx]?)(?P<right>n)(?P<state>[ysS]?)", choices.equal_text),
    _rule("equal state", r"(?P<left>n)(?P<link>[emxqk]*[eqQ][qQx]?)(?P<state>[ysS])", choices.equal_state),
    _rule("unequal", r"(?P<left>n)(?P<link>[em]*Q)(?P<right>n)", choices.equal_text),
    _rule("truth", r"(?P<left>n)(?P<link>[emq]*)(?P<truth>B)", choices.truth),
    _rule("in state", r"(?P<left>n?)(?P<link>[emx]*)T(?P<right>n?)(?P<state>[ysS]?)", choices.in_state),
    _rule("located", r"(?P<left>n?)(?P<link>[emx]*)L(?P<right>n)", choices.located),
    # user confirms; confirmed by the user
    _rule("verdict", r"p?(?P<who>n)(?P<link>[emkhp]*)(?P<verdict>[VF])p?(?P<object>n?)", choices.spoken),
    _rule("approval", r"(?P<who>n?)p?(?P<verdict>U)p?(?P<of>n?)[sy]?", choices.approval),
    _rule("verdict by", r"(?P<object>n?)(?P<link>[em]*)(?P<verdict>y)(?P<who>n)", choices.passive),
    # hotel has pool; no layovers; without nuts; breakfast is included
    _rule("has", rf"(?P<left>n?)(?P<link>[mekxp]*)h(?P<no>[xKN]?)[Ei]?p?{LIST}(?P<done>[ys]?)", presence.has),
    _rule("has at least one", rf"(?P<left>n?)(?P<link>[mekxp]*)h?(?P<no>K?)i{LIST}(?P<done>[ys]?)", presence.has),
    _rule("has none", rf"(?P<no>[KN]){LIST}(?P<link>[em]*)(?P<done>[ys]?)", presence.none),
    _rule("without", rf"(?P<left>n?)(?P<link>[mek]*)(?P<no>zK?){LIST}(?P<done>[s]?)", presence.none),
    _rule("is there", r"(?P<list>n)(?P<link>[mekxh]*)(?P<state>[sSy])(?P<tail>n?)", presence.state_of_thing),
    _rule("is such", r"(?P<left>n?)(?P<link>[mx]*e[x]?)(?P<such>[ny])", presence.such),
    _rule("named", rf"E?{LIST}", presence.named),
)


def parse_by_rules(chunks: Sequence[Chunk], words: Lexicon) -> CriterionParse | None:
    """What the first rule that fits makes of a sentence; None where none does."""
    codes = "".join(chunk.code for chunk in chunks)
    for rule in RULES:
        if whole := rule.pattern.fullmatch(codes):
            groups = {name: list(chunks[slice(*whole.span(name))]) for name, text in whole.groupdict().items() if text}
            if parse := rule.build(RuleMatch(groups, words)):
                return parse
    return None


_BULLET: Final = re.compile(r"^(?:[-*•·–]\s+|\d{1,2}[.)]\s+|\[[ xX]?\]\s*)+")
_END: Final = ".!;, "
_LITTLE: Final = 1.5
"""Evidence for a language up to which it may be the other one."""


@lru_cache(maxsize=2048)
def criterion_parse(text: str) -> CriterionParse | None:
    """The meaning of a criterion; None where the grammar does not understand it. Nothing is guessed."""
    if not text or len(text) > TEXT_AT_MOST:
        return None
    tidied = _BULLET.sub("", tidy(text)).strip(_END)
    if not tidied or len(tidied) > TEXT_AT_MOST:
        return None
    tokens = criterion_tokens(tidied)
    for language in languages_of(tidied):
        if parse := _parse(tokens, lexicon(language)):
            return parse
    return None


def languages_of(text: str) -> tuple[Language, ...]:
    """The language of a text; both, the likelier first, where little evidence separates them."""
    evidence = english_evidence(text)
    first, second = LANGUAGES if evidence >= 0 else LANGUAGES[::-1]
    return (first, second) if abs(evidence) <= _LITTLE else (first,)


def _parse(tokens: Sequence[Token], words: Lexicon) -> CriterionParse | None:
    sentence = _led(tagged(tokens, words))
    if not sentence or _is_foreign(sentence, words):
        return None
    return parse_by_rules(chunks_of(values_merged(sentence, words), words), words)


def _led(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens after an introduction such as "make sure that"."""
    start = 0
    while start < len(tokens) and "lead" in tokens[start].senses:
        start += 1
    return tokens[start:]


def _is_foreign(tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a word unknown here denies in the other language: then something would be lost."""
    other = lexicon(next(language for language in LANGUAGES if language != words.language))
    denies = ("not", "no", "lack", "block", "nor")
    return any(
        not token.senses and token.kind == "word" and any(other.has(kind, token.text) for kind in denies)
        for token in tokens
    )
