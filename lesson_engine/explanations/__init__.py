"""Verdicts in words a learner understands: which idea is missing, and which part contradicts the right answer.

While its question is open an explanation names nothing of the expected answer: it quotes the learner, the question, and
titles of what was read. Once the question is closed it names what was missing in the author's words. Staff see all.
"""

from .for_staff import NOT_SURE, for_staff
from .judged import Judged, Line
from .once_closed import once_closed
from .rules import rule_in_words
from .while_open import while_open

__all__ = ["NOT_SURE", "Judged", "Line", "for_staff", "once_closed", "rule_in_words", "while_open"]
