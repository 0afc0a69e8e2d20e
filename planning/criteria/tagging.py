"""From tokens to codes: one letter for each, so that rules can be patterns over letters."""

from collections.abc import Callable, Sequence
from typing import Final

from .lexicon import Lexicon
from .sentence import SMALL, Code, Sentence
from .tokens import Token

Decision = Callable[[Sentence, int], str | None]

_HARMLESS: Final = frozenset({"by", "from", "desde", "para"})
"""Prepositions that may come before a comparison: "increase by at least 10 %"."""
_BRACKETS: Final = {"(": "(", ")": ")", "{": "(", "}": ")", "[": "(", "]": ")"}


def codes_of(tokens: Sequence[Token], words: Lexicon) -> str:
    sentence = Sentence(tokens, words)
    for at in range(len(tokens)):
        sentence.codes.append(_code(sentence, at))
    return "".join(sentence.codes)


def _code(sentence: Sentence, at: int) -> str:
    token = sentence.tokens[at]
    if token.kind in ("value", "quoted"):
        return Code.VALUE if token.kind == "value" else Code.WORD
    if token.text in _BRACKETS:
        return _BRACKETS[token.text]
    for kind, decide in _DECISIONS:
        if kind in token.senses and (code := decide(sentence, at)):
            return code
    if token.kind != "word":
        return Code.BLOCK
    vague = sentence.words.ends("vague ending", token.text) and not sentence.is_proper(at)
    return Code.BLOCK if vague else Code.WORD


def _compare(sentence: Sentence, at: int) -> str:
    after = Code.VALUE in sentence.codes and sentence.last(at) and sentence.senses(at)["compare"] in (">=", "<=")
    return Code.AFTER if after and not sentence.follows_value(at) else Code.COMPARE


def _compare_moment(sentence: Sentence, at: int) -> str | None:
    if sentence.follows_moment(at):
        return Code.COMPARE
    return None if sentence.tokens[at].text in _HARMLESS else _unfinished(sentence, at)


def _unfinished(sentence: Sentence, at: int) -> str | None:
    """A word such as "before" with another comparison after it: one of the two would be lost."""
    kinds = {"compare", "compare value", "compare moment", "comparative", "block"}
    return None if kinds.isdisjoint(sentence.senses(at + 1)) else Code.BLOCK


def _measures(sentence: Sentence, at: int) -> str | None:
    """A verb of measure, where something to compare with comes after it."""
    before = sentence.senses(at - 1)
    if "attribute" in sentence.senses(at) and (at == 0 or not {"thing", "user"} & before.keys()):
        return None  # "monthly cost"
    if at == 0 and sentence.tokens[1:] and sentence.tokens[1].kind == "symbol":
        return None  # "Seats: 2"
    place = at + 1
    while place < len(sentence.tokens) and place < at + 5:
        senses, token = sentence.senses(place), sentence.tokens[place]
        if token.kind == "value":
            return Code.MEASURE
        if {"compare", "range", "compare budget", "limit", "comparative"} & senses.keys():
            return Code.MEASURE
        if {"compare value", "compare moment"} & senses.keys() and sentence.follows_value(place):
            return Code.MEASURE
        if not {*SMALL, "article", "equal", "not", "copula", "modal", "from"} & senses.keys():
            return None
        place += 1
    return None


def _have(sentence: Sentence, at: int) -> str | None:
    if sentence.related() or sentence.last(at):
        return None
    follows = sentence.tokens[at + 1]
    if follows.kind == "symbol" and {"compare", "equal", "not equal"} & follows.senses.keys():
        return None
    if at == 0 and any({"copula", "modal"} & token.senses.keys() for token in sentence.tokens[1:]):
        return None  # "return date is ..."
    if at == 0 and any(token.kind == "symbol" and "compare" in token.senses for token in sentence.tokens[1:]):
        return None  # "return window >= 30 days"
    if {"copula", "modal"} & follows.senses.keys() or _is_noun_before_verb(sentence, at, follows):
        return None
    return Code.HAVE


def _is_noun_before_verb(sentence: Sentence, at: int, follows: Token) -> bool:
    """Whether a word such as "report" is a thing: an article comes before it, or a verb after it."""
    if not {"thing", "attribute"} & sentence.senses(at).keys():
        return False
    verbs = {"have", "measure", "lack", "do", "with", "preposition", "state"}
    return "article" in sentence.senses(at - 1) or not verbs.isdisjoint(follows.senses)


def _state(code: str) -> Decision:
    def decide(sentence: Sentence, at: int) -> str | None:
        by = at + 1 < len(sentence.tokens) and "by" in sentence.tokens[at + 1].senses
        before = sentence.senses(at - 1)
        noun = ("article" in before and "copula" not in before) or Code.VERDICT in sentence.codes  # "la propuesta"
        return code if (at > 0 or by) and not noun and sentence.ends_state(at) else None

    return decide


def _verdict(sentence: Sentence, at: int) -> str | None:
    follows = sentence.tokens[at + 1] if at + 1 < len(sentence.tokens) else None
    counted = follows is not None and (follows.kind == "value" or {"compare", "range", "limit"} & follows.senses.keys())
    return Code.VERDICT if at > 0 and not counted and sentence.of_user() else None


def _in(sentence: Sentence, at: int) -> str | None:
    token = sentence.tokens[at]
    follows = sentence.tokens[at + 1] if at + 1 < len(sentence.tokens) else None
    if follows is not None and follows.text in ("{", "[", "("):
        return Code.IN
    if token.text not in ("in", "en"):
        return Code.IN
    if follows is not None and sentence.codes[-1:] == [Code.COPULA]:  # "is in Paris", "is in Spanish"
        named = follows.raw[:1].isupper() or "language" in follows.senses
        return Code.LOCATED if named else None
    return None


def _block(sentence: Sentence, at: int) -> str | None:
    token = sentence.tokens[at]
    if "pronoun" in token.senses and sentence.last(at) and Code.VERDICT in sentence.codes:
        return Code.PREPOSITION
    if "preposition" in token.senses or "article" in token.senses:
        value = sentence.next(at)
        return Code.BLOCK if value is not None and value.kind == "value" and "approximate" in token.senses else None
    if "amenity" in token.senses or "language" in token.senses:
        return None
    return Code.BLOCK


def _vague(sentence: Sentence, at: int) -> str | None:
    after_copula = at > 0 and sentence.codes[at - 1] == Code.COPULA
    if "amenity" in sentence.tokens[at].senses and not after_copula:
        return None
    if "adjective" in sentence.tokens[at].senses and Code.VALUE in sentence.codes:  # "10 pages long"
        return Code.FILLER
    return None if sentence.is_proper(at) or sentence.is_literal(at) else Code.BLOCK


def _truth(sentence: Sentence, at: int) -> str | None:
    is_value = at > 0 and sentence.codes[at - 1] in (Code.EQUAL, Code.COPULA) and sentence.last(at)
    return Code.TRUTH if is_value else None


def _limit(sentence: Sentence, at: int) -> str | None:
    """A least or a most; a part of the name where another comparison follows ("minimum stay <= 2")."""
    rest = sentence.tokens[at + 1 :]
    named = bool(rest) and rest[0].kind == "word" and not sentence.follows_value(at)
    explicit = any(token.kind == "symbol" and "compare" in token.senses for token in rest)
    return Code.WORD if named and explicit else Code.LIMIT


def _after(sentence: Sentence, at: int) -> str | None:
    token = sentence.tokens[at]
    if Code.VALUE not in sentence.codes or (token.text == "+" and not token.glued):
        return None
    return None if sentence.follows_value(at) else Code.AFTER


def _when(condition: "Callable[[Sentence, int], bool]", code: str) -> Decision:
    return lambda sentence, at: code if condition(sentence, at) else None


def _approval(sentence: Sentence, at: int) -> str | None:
    follows = sentence.senses(at + 1)
    ends = sentence.last(at) or (at + 2 == len(sentence.tokens) and bool({"present", "state"} & follows.keys()))
    by_user = at > 0 and ends and sentence.of_user()
    return Code.APPROVAL if by_user or sentence.only_user_after(at) else None


def _always(code: str) -> Decision:
    return lambda sentence, at: code


def _comparative(sentence: Sentence, at: int) -> str:
    return Code.COMPARE if sentence.follows_value(at) else Code.BLOCK


def _or(sentence: Sentence, at: int) -> str:
    per = sentence.tokens[at].text == "/" and sentence.codes[-1:] == [Code.VALUE]
    return Code.PREPOSITION if per else Code.OR


# In this order: the first kind that a token has and that fits its place decides.
_DECISIONS: Final[tuple[tuple[str, Decision], ...]] = (
    ("yes", _truth),
    ("no value", _truth),
    ("after", _after),
    ("to", _when(Sentence.joins_values, Code.JOIN)),
    ("from", _when(Sentence.opens_range, Code.FROM)),
    ("range", _when(Sentence.follows_value, Code.RANGE)),
    ("compare budget", _comparative),
    ("comparative", _comparative),
    ("verdict", _verdict),
    ("measure", _measures),
    ("compare", _compare),
    ("compare moment", _compare_moment),
    ("compare value", lambda sentence, at: Code.COMPARE if sentence.follows_value(at) else _unfinished(sentence, at)),
    ("limit", _limit),
    ("satisfied", _when(lambda sentence, at: Code.COPULA in sentence.codes and sentence.of_user(), Code.SATISFIED)),
    ("not in", _always(Code.NOT_IN)),
    ("location", _always(Code.LOCATED)),
    ("in", _in),
    ("in state", _always(Code.IN_STATE)),
    ("not equal", _always(Code.UNEQUAL)),
    ("equal", _always(Code.EQUAL)),
    ("lack", _always(Code.LACK)),
    ("absent", _state(Code.ABSENT)),
    ("no", _always(Code.NO)),
    ("neither", _when(Sentence.opens_denial, Code.NEITHER)),
    ("nor", _always(Code.NOR)),
    ("not", _always(Code.NOT)),
    ("have", _have),
    ("with", _when(lambda s, at: not (s.related() or s.last(at) or Code.VERDICT in s.codes), Code.HAVE)),
    ("verdict noun", _approval),
    ("present", _state(Code.PRESENT)),
    ("state", _state(Code.STATE)),
    ("modal", _always(Code.MODAL)),
    ("copula", _when(lambda sentence, at: at > 0 or "article" not in sentence.senses(at), Code.COPULA)),  # "este hotel"
    ("do", _always(Code.DO)),
    ("either", _always(Code.EITHER)),
    ("vague", _vague),
    ("block", _block),
    ("every", _always(Code.WORD)),
    ("and", lambda sentence, at: Code.COMMA if sentence.tokens[at].text == "," else Code.AND),
    ("or", _or),
    ("article", _always(Code.ARTICLE)),
    ("filler", _always(Code.FILLER)),
    *((kind, _always(Code.PREPOSITION)) for kind in sorted(SMALL)),
    ("approximate", _always(Code.BLOCK)),
)
