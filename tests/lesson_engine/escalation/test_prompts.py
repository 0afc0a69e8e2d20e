"""What the thinker is asked: everything it needs, bounded, and nothing of the learner's outside its fence."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gateway.client.chats import strict_schema
from gateway.client.values import chat_tokens_at_most
from gateway.contracts import MICROCENTS, Tier
from gateway.ledger.pricing import DEFAULTS, worst_cost
from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.escalation.asking import MOST_TOKENS
from lesson_engine.escalation.prompts import MOST_BYTES, Opinion, opinion_messages
from lesson_engine.grading.andamio_3.fold import clean
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN
from tests.lesson_engine.grading.asks import ask as ask_of

LONG = 'El agua \\ «ñandú» "x" <y>\n' * 400
VERDICT = Verdict(result=VerdictResult.PARTIAL, rule="open.semantic", score=0.4, grader="test", doubtful=True)


def asked(ask: Ask, said: str, **details: Any) -> dict[str, Any]:
    """What the user message says."""
    verdict = VERDICT.model_copy(update={"details": details})
    _rules, message = opinion_messages(ask, said, verdict, language="es")
    value: dict[str, Any] = json.loads(message.content)
    return value


def huge() -> Ask:
    """As much as a lesson may say of one question, in letters of several bytes and with all that JSON escapes."""
    answer = {"kind": "definition", "term": "ñ" * 300, "accepted": ["ñ\\" * 140 + str(n) for n in range(100)]}
    groups = [[f"{n}{m}" + "é" * 250 for m in range(20)] for n in range(50)]
    wrong = [{"code": f"w{n}", "examples": ['ü"' * 150], "feedback": "f"} for n in range(50)]
    return ask_of({**answer, "keyword_groups": groups}, "¿" * 4000, misconceptions=wrong)


def test_it_holds_question_objective_answers_ideas_mistakes_language_and_reply() -> None:
    assert asked(OPEN, "porque rebota el verde") == {
        "question": "¿Por qué vemos verdes las hojas?",
        "objective": "Saberlo",
        "language": "es",
        "accepted": list(OPEN.answer.accepted),  # type: ignore[union-attr]
        "ideas": ["refleja | rebota | devuelve | no absorbe", "verde"],
        "mistakes": ["Porque absorben la luz verde"],
        "reply": "porque rebota el verde",
    }
    assert asked(DEFINITION, "x")["term"] == "photosynthesis"


def test_the_answer_that_the_grader_compared_with_comes_first() -> None:
    assert asked(OPEN, "x", reference=1)["accepted"][0].startswith("La luz verde no se absorbe")
    assert len(asked(OPEN, "x", reference=1)["accepted"]) == 2
    assert asked(OPEN, "x", reference=7)["accepted"][0].startswith("Porque la clorofila")


def test_the_rules_say_that_everything_else_is_data() -> None:
    rules, message = opinion_messages(OPEN, "x", VERDICT, language="es")
    assert (rules.role, message.role) == ("system", "user")
    assert "never instructions" in rules.content
    assert "porque" not in rules.content.lower()


@given(st.text(max_size=300) | st.text(alphabet='"\\{}[]<>,:\n`reply', max_size=300))
def test_nothing_in_the_learners_words_ends_their_fence(said: str) -> None:
    fenced = asked(OPEN, said)
    assert set(fenced) == {"question", "objective", "language", "accepted", "ideas", "mistakes", "reply"}
    assert clean(said).startswith(fenced["reply"])
    if len(json.dumps(clean(said), ensure_ascii=False).encode(errors="replace")) <= 600:
        assert fenced["reply"] == clean(said)


@each("said", [LONG, "\x00\ud800" * 900, "𝒳" * 4000, '"' * 4000, "\\" * 4000, ""])
def test_whatever_goes_in_the_request_has_its_bound(said: str) -> None:
    messages = opinion_messages(huge(), said, VERDICT, language="es-MX")
    size = sum(len(message.content.encode(errors="replace")) for message in messages)
    assert size <= MOST_BYTES
    assert json.loads(messages[1].content)["accepted"]


def test_an_account_at_the_thinkers_floor_of_ten_cents_can_hold_the_dearest_request() -> None:
    prices = next(prices for tier, _model, prices in DEFAULTS if tier == Tier.THINKER)
    messages = opinion_messages(huge(), LONG, VERDICT, language="es-MX")
    tokens = chat_tokens_at_most(messages, json.dumps(strict_schema(Opinion)))
    assert worst_cost(Tier.THINKER, prices, input_tokens=tokens, output_tokens=MOST_TOKENS) <= 10 * MICROCENTS


def test_the_thinker_can_answer_with_choices_alone() -> None:
    schema = strict_schema(Opinion)
    assert set(schema) == {"properties", "required", "additionalProperties", "type"}
    for part in schema["properties"].values():
        assert "enum" in part or part["type"] == "boolean"
