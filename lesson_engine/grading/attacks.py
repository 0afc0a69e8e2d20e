"""Replies that look like attacks: orders to whoever judges, and code meant for machines.

A flag for staff, never a verdict: who quotes markup in a good answer is accepted like everybody. What the question's
author wrote as well is no attack: in a lesson on SQL, SQL is an answer.
"""

from collections.abc import Iterator
from typing import Any

from lesson_engine.contracts import Ask, Reply, Verdict

from .attack_patterns import CODE, JUDGING_WORDS, MUSTACHE, MUSTACHE_ACTS, ORDERS
from .attempt_patterns import ORDER
from .lexicon import LANGUAGES, lexicon
from .normalise import clean, tokens

WORDS_OF_A_VERDICT = 3
"""So many of them make a reply of no other words a forged verdict."""


def looks_like_attack(ask: Ask, reply: Reply, verdict: Verdict) -> bool:
    """Whether the reply is of a kind that nothing of its question is. Pure, and bounded as grading is."""
    text = "\n".join((reply.text, *reply.choices))
    found = set(attack_kinds(text))
    if verdict.rule == "attempt.order":
        found.add("order")
    return bool(found) and not found <= _authored_kinds(ask)


def attack_kinds(text: str) -> Iterator[str]:
    """Which kinds of attack a text shows: order, markup, template, sql, role."""
    if ORDERS.search(_line(text)):
        yield "order"
    shown = clean(text)
    yield from (kind for kind, pattern in CODE.items() if pattern.search(shown))
    if any(MUSTACHE_ACTS.search(found[1]) for found in MUSTACHE.finditer(shown)):
        yield "template"


def is_only_orders(text: str) -> bool:
    """Whether nothing is left of a reply but small talk and words of a verdict, once its orders are out."""
    line = _line(text)
    rest = [word for clause in line.split("|") if not ORDERS.search(clause) for word in clause.split()]
    if not ORDERS.search(line) and len(JUDGING_WORDS.intersection(rest)) < WORDS_OF_A_VERDICT:
        return False
    small = JUDGING_WORDS.union(*(lexicon(code).small_talk | lexicon(code).stopwords for code in LANGUAGES))
    return all(word in small or word.replace(".", "").isdigit() for word in rest)


def _line(text: str) -> str:
    return " ".join(tokens(text))


def _authored_kinds(ask: Ask) -> frozenset[str]:
    texts = list(_texts(ask.model_dump(mode="json")))
    # By the looser rule too, which names whole replies: "The answer is right" may be what is asked for.
    orders = {"order" for text in texts if ORDER.search(_line(text))}
    return frozenset(orders).union(*(attack_kinds(text) for text in texts))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for item in value.values() for text in _texts(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _texts(item))
