"""Writes of the consult."""

from routing.services.asking import question_ask
from routing.services.correcting import plan_correct
from routing.services.erasing import questions_erase, questions_transfer
from routing.services.labelling import example_review

__all__ = ("example_review", "plan_correct", "question_ask", "questions_erase", "questions_transfer")
