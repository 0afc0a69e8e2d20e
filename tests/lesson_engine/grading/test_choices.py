import pytest

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.explanations import Judged, while_open
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import CHOICE, MULTI

ACCEPT, PARTIAL, REJECT, NOT_GRADABLE = VerdictResult


@pytest.mark.parametrize(
    "reply", [Reply(choices=("aire",)), Reply(text="aire"), Reply(text="Aire."), Reply(text="del aire")]
)
def test_the_right_choice(reply: Reply, embed: Embed) -> None:
    verdict = grade(CHOICE, reply, language="es", embed=embed)
    assert (verdict.result, verdict.feedback) == (ACCEPT, "Sí, del aire.")


def test_a_wrong_choice_brings_its_feedback(embed: Embed) -> None:
    verdict = grade(CHOICE, Reply(choices=("suelo",)), language="es", embed=embed)
    assert (verdict.result, verdict.feedback) == (REJECT, "La tierra casi no perdió peso.")


@pytest.mark.parametrize(
    "reply", [Reply(choices=("aire", "suelo")), Reply(choices=("luna",)), Reply(text="luna"), Reply(text="aire, suelo")]
)
def test_no_one_choice_is_the_wrong_form(reply: Reply, embed: Embed) -> None:
    verdict = grade(CHOICE, reply, language="es", embed=embed)
    assert (verdict.result, verdict.rule) == (NOT_GRADABLE, "choice.wrong_form")


@each(
    ("codes", "result"),
    [
        ("musgo alga cactus", ACCEPT),
        ("cactus musgo alga alga", ACCEPT),
        ("musgo alga", PARTIAL),
        ("musgo alga seta", PARTIAL),
        ("musgo seta", REJECT),
        ("seta", REJECT),
        ("musgo alga cactus seta", REJECT),
        ("musgo luna", NOT_GRADABLE),
    ],
)
def test_multiple_choice(codes: str, result: VerdictResult, embed: Embed) -> None:
    assert grade(MULTI, Reply(choices=tuple(codes.split())), language="es", embed=embed).result is result


def test_a_wrong_tick_brings_its_feedback_and_is_counted(embed: Embed) -> None:
    verdict = grade(MULTI, Reply(choices=("musgo", "alga", "seta")), language="es", embed=embed)
    assert verdict.feedback == "Vive de restos."
    assert verdict.details == {"found": ["musgo", "alga"], "extra": 1, "missing": 1}


def test_ticking_all_brings_no_feedback_of_any_choice(embed: Embed) -> None:
    verdict = grade(MULTI, Reply(choices=("musgo", "alga", "cactus", "seta")), language="es", embed=embed)
    assert (verdict.rule, verdict.feedback) == ("multi_choice.all_ticked", None)


@each(
    ("codes", "says"),
    [
        ("musgo alga", ["There is more to pick."]),
        ("musgo seta", ["1 of your choices does not belong."]),
        ("musgo alga seta", ["1 of your choices does not belong."]),
        ("seta", []),
        ("musgo alga cactus seta", []),
        ("musgo alga cactus", []),
    ],
)
def test_what_is_said_of_picks_settles_no_single_wrong_one(codes: str, says: list[str], embed: Embed) -> None:
    verdict = grade(MULTI, Reply(choices=tuple(codes.split())), language="es", embed=embed)
    assert [line.text for line in while_open(Judged(MULTI, verdict, "es"))] == says


def test_ticking_all_is_right_where_all_are_right(embed: Embed) -> None:
    choices = [{"code": code, "text": code, "correct": True} for code in ("a1", "b2")]
    asked = MULTI.model_copy(
        update={"answer": type(MULTI.answer).model_validate({"kind": "multi_choice", "choices": choices})}
    )
    assert grade(asked, Reply(choices=("a1", "b2")), language="es", embed=embed).result is ACCEPT
