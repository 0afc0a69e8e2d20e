"""A sentence while its tokens get their codes, letters for what a token does in it.

Every token gets a code, and a rule has to account for each of them: that is how no negation, condition or second half
of a sentence is lost.
"""

from collections.abc import Sequence
from typing import Final

from planning.criteria.contracts import ValueType
from planning.criteria.lexicon import Lexicon
from planning.criteria.tokens import Token


class Code:
    # Words, and what is small in noun phrases.
    WORD, ARTICLE, FILLER, PREPOSITION = "w", "d", "f", "p"
    # Values, and what compares with them: at least; or more; maximum; between; from; to.
    VALUE, COMPARE, AFTER, LIMIT, RANGE, FROM, JOIN = "v", "c", "t", "l", "b", "R", "j"
    AND, OR, NOR, COMMA, EITHER, NEITHER = "a", "o", "r", ",", "E", "N"
    # Verbs: is; must; does; equals; other than; has; costs; confirms; satisfied; confirmation; located in; in state.
    COPULA, MODAL, DO, EQUAL, UNEQUAL, HAVE, MEASURE = "e", "m", "k", "q", "Q", "h", "G"
    VERDICT, SATISFIED, APPROVAL, LOCATED, IN_STATE = "V", "F", "U", "L", "T"
    # Not; without; no; available; missing; sent.
    NOT, LACK, NO, PRESENT, ABSENT, STATE = "x", "z", "K", "s", "S", "y"
    # One of; none of; yes or no; what no rule takes.
    IN, NOT_IN, TRUTH, BLOCK = "i", "I", "B", "?"


NOUNISH: Final = frozenset({Code.WORD, Code.ARTICLE, Code.FILLER, Code.PREPOSITION})
"""Codes that a noun phrase is made of."""
RELATIONS: Final = frozenset("cvtbRqQzKhiILTU")
"""Codes that relate what is before to what comes after."""


SMALL: Final = frozenset({"preposition", "from", "to", "reference", "by", "at", "of", "per", "with"})
"""Kinds of words that are small in a noun phrase."""


class Sentence:
    """Tokens, and the codes of those before the place that is looked at."""

    def __init__(self, tokens: Sequence[Token], words: Lexicon) -> None:
        self.tokens = tokens
        self.words = words
        self.codes: list[str] = []

    def next(self, at: int, skip: str = "article") -> Token | None:
        """The next token that is no article; None at the end."""
        place = at + 1
        while place < len(self.tokens) and {"article", skip} & self.tokens[place].senses.keys():
            place += 1
        return self.tokens[place] if place < len(self.tokens) else None

    def last(self, at: int) -> bool:
        return at + 1 == len(self.tokens)

    def is_proper(self, at: int) -> bool:
        """Whether a word is a name: "Nice" in "destination is Nice"."""
        return at > 0 and self.tokens[at].raw[:1].isupper() and not self.tokens[at].raw.isupper()

    def is_literal(self, at: int) -> bool:
        """Whether a word is a literal value: after a sign, in brackets, of what has grades ("priority")."""
        signs = any(token.kind == "symbol" and "equal" in token.senses for token in self.tokens[max(0, at - 2) : at])
        graded = any("graded" in token.senses for token in self.tokens[:at])
        return signs or graded or ("(" in self.codes and not {Code.IN, Code.NOT_IN}.isdisjoint(self.codes))

    def ends_state(self, at: int) -> bool:
        """Whether a state is the last token, or comes before its complement ("sent to the customer")."""
        if self.last(at):
            return True
        follows = self.tokens[at + 1]
        if "compare moment" in follows.senses and self.follows_moment(at + 1):
            return False  # "generated before 2027-01-01"
        return (not SMALL.isdisjoint(follows.senses) and follows.text != "'s") or follows.text == ")"

    def follows_value(self, at: int) -> bool:
        """Whether a value comes next, articles, a budget or a bracket before it apart."""
        place = at + 1
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.kind == "value":
                return True
            if not (
                {"article", "limit"} & token.senses.keys() or token.text in ("(", "of", "de", "budget", "presupuesto")
            ):
                return False
            place += 1
        return False

    def follows_moment(self, at: int) -> bool:
        """Whether a date, a time of day or a year comes next."""
        value = self.next(at)
        if value is None or value.amount is None:
            return False
        amount = value.amount
        if amount.value_type in (ValueType.DATE, ValueType.TIME):
            return True
        return isinstance(amount.value, int) and 1000 <= amount.value <= 2999 and amount.unit is None

    def joins_values(self, at: int) -> bool:
        value = self.next(at)
        return at > 0 and self.tokens[at - 1].kind == "value" and value is not None and value.kind == "value"

    def opens_range(self, at: int) -> bool:
        """Whether two values with "to" between them come next."""
        rest = [token for token in self.tokens[at + 1 : at + 6] if "article" not in token.senses]
        return len(rest) > 2 and rest[0].kind == rest[2].kind == "value" and "to" in rest[1].senses

    def related(self) -> bool:
        return not RELATIONS.isdisjoint(self.codes)

    def of_user(self) -> bool:
        """Whether all before is a person, and what helps a verb along."""
        people = False
        for code, token in zip(self.codes, self.tokens, strict=False):
            person = "user" in token.senses
            people = people or person
            if "every" in token.senses:
                continue
            if not person and code not in "demkxphf":
                return False
            if code == Code.WORD and not person:
                return False
        return people

    def opens_denial(self, at: int) -> bool:
        """Whether "ni" is the first of "ni A ni B"."""
        return self.words.language == "en" or at == 0 or self.codes[-1] in (Code.COPULA, Code.HAVE)

    def only_user_after(self, at: int) -> bool:
        """Whether nothing but a person is named after: "confirmation from the client"."""
        rest = [token for token in self.tokens[at + 1 :] if not {"article", "of", "by"} & token.senses.keys()]
        before = all("article" in token.senses for token in self.tokens[:at])
        return before and bool(rest) and all("user" in token.senses for token in rest)

    def senses(self, at: int) -> dict[str, str]:
        """Senses of a token; none beyond the end."""
        return self.tokens[at].senses if 0 <= at < len(self.tokens) else {}
