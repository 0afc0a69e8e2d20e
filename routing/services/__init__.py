"""Writes of the consult."""

from routing.services.asking import question_ask
from routing.services.correcting import example_review, plan_correct
from routing.services.erasing import questions_erase, questions_transfer

__all__ = ("example_review", "plan_correct", "question_ask", "questions_erase", "questions_transfer")
