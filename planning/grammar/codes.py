"""The letters of codes: what a token does in its sentence.

Every token gets a code, and a rule has to account for each of them: that is how no negation, condition or second half
of a sentence is lost.
"""

from typing import Final

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

NOUNISH: Final = frozenset({WORD, ARTICLE, FILLER, PREPOSITION})
"""Codes that a noun phrase is made of."""
RELATIONS: Final = frozenset("cvtbRqQzKhiILTU")
"""Codes that relate what is before to what comes after."""
