import pytest

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.procedure import longest_run
from tests.each import each
from tests.lesson_engine.grading.asks import PROCEDURE, ask


@each(
    "text",
    [
        "absorber luz, romper el agua, cargar las baterías, fabricar azúcar",
        "1. luz\n2. agua\n3. ATP\n4. azúcar",
        "Primero se absorbe la luz, luego se rompe el agua, después se cargan baterías y al final se fabrica azúcar",
        "luz -> agua -> baterías -> azúcar",
        "captar la luz solar, romper agua, cargar baterias, hacer glucosa",
    ],
)
def test_all_steps_in_order(text: str, embed: Embed) -> None:
    verdict = grade(PROCEDURE, Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.details["order"]) == (VerdictResult.ACCEPT, [0, 1, 2, 3])


def test_steps_in_the_wrong_order_are_partly_right(embed: Embed) -> None:
    verdict = grade(PROCEDURE, Reply(text="luz, baterías, agua, azúcar"), language="es", embed=embed)
    assert (verdict.result, verdict.rule) == (VerdictResult.PARTIAL, "procedure.order")
    assert (verdict.details["order"], verdict.details["out_of_place"]) == ([0, 2, 1, 3], 1)


def test_missing_steps_are_counted(embed: Embed) -> None:
    verdict = grade(PROCEDURE, Reply(text="luz, agua, azúcar"), language="es", embed=embed)
    assert (verdict.result, verdict.details["missing"]) == (VerdictResult.PARTIAL, 1)


def test_a_known_wrong_order_is_its_misconception(embed: Embed) -> None:
    text = "hacer glucosa, captar la luz, romper el agua, ATP"
    assert grade(PROCEDURE, Reply(text=text), language="es", embed=embed).misconception == "azucar_antes"


def test_saying_steps_again_in_other_orders_gains_nothing(embed: Embed) -> None:
    text = "azúcar, baterías, agua, luz, agua, baterías, azúcar"
    assert grade(PROCEDURE, Reply(text=text), language="es", embed=embed).result is not VerdictResult.ACCEPT


@pytest.mark.parametrize(
    "text",
    [
        "luz, agua, baterías, azúcar\nazúcar, baterías, agua, luz",
        "luz, agua, baterías, azúcar. O bien agua, luz, baterías, azúcar",
        "luz, agua, ATP, azúcar; agua, luz, ATP, azúcar; azúcar, ATP, luz, agua",
    ],
)
def test_trying_several_orders_settles_on_none(text: str, embed: Embed) -> None:
    verdict = grade(PROCEDURE, Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.rule) == (VerdictResult.REJECT, "procedure.alternatives")


@pytest.mark.parametrize(
    "text",
    [
        "luz, agua, baterías, azúcar. O sea: luz, agua, baterías, azúcar",
        "Primero la luz, luego el agua, después las baterías y al final el azúcar. El azúcar necesita la luz y el agua",
    ],
)
def test_speaking_of_steps_again_does_no_harm(text: str, embed: Embed) -> None:
    assert grade(PROCEDURE, Reply(text=text), language="es", embed=embed).result is VerdictResult.ACCEPT


@each(("order", "length"), [([], 0), ([0, 1, 2], 3), ([2, 1, 0], 1), ([0, 2, 1, 3], 3), ([1, 0], 1)])
def test_longest_run(order: list[int], length: int) -> None:
    assert longest_run(order) == length


SIZES = ask({"kind": "procedure", "steps": [["5/12"], ["1/2", "half"], ["2/3"]]}, "From the smallest to the largest?")


@pytest.mark.parametrize("text", ["5/12, 1/2, 2/3", "5/12,1/2,2/3", "5/12 < 1/2 < 2/3", "5 / 12\n1 / 2\n2 / 3"])
def test_fractions_are_steps(text: str, embed: Embed) -> None:
    assert grade(SIZES, Reply(text=text), language="en", embed=embed).result is VerdictResult.ACCEPT


def test_another_fraction_is_no_step_in_other_words(embed: Embed) -> None:
    verdict = grade(SIZES, Reply(text="5/12, 1/3, 2/3"), language="en", embed=embed)
    assert verdict.details["order"] == [0, 2]
