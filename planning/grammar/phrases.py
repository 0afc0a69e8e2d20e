"""The phrases of the lexicon in a sentence."""

from collections.abc import Sequence

from .lexicon import Lexicon
from .tokens import Token


def tagged(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The tokens with the phrases of the lexicon made one each, and given their senses."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        used, senses = words.longest(tokens, at)
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
