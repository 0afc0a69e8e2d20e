"""Reflections that wait for staff: on real failures, judged by the gate, stored as a worker stores them."""

from collections.abc import Sequence
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from reflection.contracts import Author, Decision, PatternFound, Reflection
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import patterns_found
from reflection.quality.gate import gate_of, is_first
from reflection.selectors import failure_of
from reflection.services import Made, reflection_store
from reflection.writing.attempts import AttemptMade, Attempts
from tests.lesson_engine.learn.pages import Page
from tests.reflection.conftest import CHEAP, CRITERIA, TASK, failed

DEEP: dict[str, Any] = {
    "analysis": "The budget-first strategy was a flawed approach to this hotel: options were sorted by price, so that"
    " quality 5 fell short of the 7 that was wanted, and the user rejected it.",
    "learning": "For hotels of this user quality comes before price: at least 7 is looked for before anything else.",
}
VAGUE = ["Change priority from price to quality", "Be more careful"]
SPECIFIC = ["Change priority from price to quality", "Add constraint: quality >= 7"]
SHALLOW: dict[str, Any] = {"analysis": "It failed.", "learning": "Hm.", "strategy_adjustments": ["Do better"]}


def attempt(author: Author = Author.FACTS, **changes: Any) -> Reflection:
    """One that the gate lets through with warnings, unless `changes` make it better or worse."""
    return Reflection(**{**DEEP, "strategy_adjustments": VAGUE, "author": author, **changes})


def held_back(
    user: User | str | None,
    *attempts: Reflection,
    task: str = TASK,
    result: Any = CHEAP,
    criteria: Sequence[str] = CRITERIA,
    patterns: Sequence[PatternFound] | None = None,
    **made: Any,
) -> ReflectionRow:
    """A stored reflection with these attempts, or one that waits for review; with `patterns`, or what is found."""
    plan, evaluation = failed(user, task, result, criteria)
    failure = failure_of(plan, evaluation, result)
    known = list(patterns_found(failure) if patterns is None else patterns)
    gate, tried = gate_of(failure, known), Attempts()
    for one in attempts or [attempt()]:
        named = one.patterns_identified or [pattern.text for pattern in known]
        about = {"task": plan.task, "task_type": plan.metadata.task_type, "language": plan.metadata.language}
        whole = one.replaced(patterns_identified=named, **about)
        tried.made.append(AttemptMade(whole, gate(whole), "o3-mini" if one.author == Author.MODEL else ""))
    stored = Made(failure=failure, attempts=tried, patterns=known, is_first=is_first(failure), **made)
    row = reflection_store(made=stored)
    return ReflectionRow.objects.select_related("kept", "evaluation__plan").get(pk=row.pk)


def waiting(user: User | str | None, **values: Any) -> ReflectionRow:
    """One that waits for review."""
    row = held_back(user, **values)
    assert (row.decision, row.review, row.in_force) == (Decision.ACCEPTED_WITH_WARNINGS, "", False)
    return row


def url_of(row: ReflectionRow, page: str = "change") -> str:
    """A page of it in the administration."""
    return reverse(f"admin:reflection_reflection_{page}", args=[row.pk])


def page_of(desk: Client, row: ReflectionRow) -> Page:
    """Its page, as staff see it."""
    page = Page(desk.get(url_of(row)))
    assert page.status == 200
    return page
