"""The phrases of the lexicon in a sentence."""

from collections.abc import Sequence

from .lexicon import Lexicon
from .tokens import Token


def tagged(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The tokens with the phrases of the lexicon made one each, and given their senses."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        used, senses = _longest(tokens, at, words)
        if used > 1:
            raw = " ".join(token.raw for token in tokens[at : at + used])
            text = " ".join(token.text for token in tokens[at : at + used])
            found.append(Token("word", text, raw, tokens[at].glued, senses))
        else:
            token = tokens[at]
            name = at > 0 and token.raw == "A" and not tokens[0].raw.isupper()  # the grade, not the article
            found.append(Token(token.kind, token.text, token.raw, token.glued, senses if used and not name else {}))
        at += used or 1
    return found


def _longest(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, dict[str, str]]:
    """The longest phrase; only its first word where what it says needs more: "is completed" a moment after it, and
    "de calidad" is no praise after a number.
    """
    used, senses = words.longest(tokens, at)
    ends = used > 1 and senses.keys() == {"measure"} and at + used == len(tokens)
    counted = (
        used == 2
        and senses.keys() == {"vague"}
        and at > 0
        and tokens[at - 1].kind == "number"
        and words.has("attribute", tokens[at + 1].text)
    )
    if counted or (ends and words.has("copula", tokens[at].text)):
        return words.longest(tokens[at : at + 1], 0)
    return used, senses
