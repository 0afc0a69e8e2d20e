from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import LIST, ask

ACCEPT, PARTIAL, REJECT = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT


@each(
    "text",
    [
        "agua, luz y CO2",
        "CO2, el agua, la luz solar",
        "- luz\n- agua\n- dioxido de carbono",
        "1. agua 2. sol 3. CO2",
        "Usa agua, luz y CO2",
        "agua + luz + CO₂",
        "La planta toma agua y luz y también dióxido de carbono",
        "luz; H2O; dióxido de carvono",
        "agua, agua, luz, CO2",
    ],
)
def test_all_items_in_any_order_and_form(text: str, embed: Embed) -> None:
    verdict = grade(LIST, Reply(text=text), language="es", embed=embed)
    assert (verdict.result, verdict.details["extra"]) == (ACCEPT, [])


def test_some_items_are_partly_right_and_counted(embed: Embed) -> None:
    verdict = grade(LIST, Reply(text="agua y luz, agua"), language="es", embed=embed)
    assert (verdict.result, verdict.details["missing"], verdict.details["found"]) == (PARTIAL, 1, ["agua", "luz"])


def test_wrong_items_among_the_right_ones_are_named(embed: Embed) -> None:
    verdict = grade(LIST, Reply(text="agua, luz, CO2, nitrógeno"), language="es", embed=embed)
    assert (verdict.result, verdict.details["extra"]) == (PARTIAL, ["nitrógeno"])


def test_listing_everything_gains_nothing(embed: Embed) -> None:
    text = "agua, luz, CO2, nitrógeno, oxígeno, hierro, calcio, azufre, plástico"
    assert grade(LIST, Reply(text=text), language="es", embed=embed).result is REJECT


def test_a_wrong_item_leads_to_its_misconception(embed: Embed) -> None:
    verdict = grade(LIST, Reply(text="sol, agua, tierra"), language="es", embed=embed)
    assert (verdict.result, verdict.misconception, verdict.feedback) == (REJECT, "tierra", "La tierra no es comida.")


def test_a_denied_item_does_not_count(embed: Embed) -> None:
    verdict = grade(LIST, Reply(text="agua, CO2, sin luz"), language="es", embed=embed)
    assert "luz" not in verdict.details["found"]


def test_an_item_with_an_and_of_its_own_matches(embed: Embed) -> None:
    asked = ask({"kind": "list", "items": [["ciencia y tecnología"], ["arte"]]})
    assert grade(asked, Reply(text="arte y ciencia y tecnología"), language="es", embed=embed).result is ACCEPT


def test_as_many_as_required_suffice(embed: Embed) -> None:
    asked = ask({"kind": "list", "items": [["rojo"], ["verde"], ["azul"]], "required": 2})
    assert grade(asked, Reply(text="azul y rojo"), language="es", embed=embed).result is ACCEPT
    assert grade(asked, Reply(text="azul"), language="es", embed=embed).details["missing"] == 1


def test_a_slip_that_is_another_item_is_that_item(embed: Embed) -> None:
    asked = ask({"kind": "list", "items": [["mitosis"], ["meiosis"]]})
    verdict = grade(asked, Reply(text="mitosis"), language="en", embed=embed)
    assert verdict.details["found"] == ["mitosis"]


TWO_THIRDS = ask({"kind": "list", "items": [["4/6", "four sixths"], ["6/9", "six ninths"]]}, "Equal to 2/3?")


@each("text", ["4/6, 6/9", "4/6,6/9", "6 / 9 and 4 / 6", "4/6\n6/9", "six ninths; 4/6", "2/3 = 4/6 = 6/9"])
def test_fractions_are_items(text: str, embed: Embed) -> None:
    assert grade(TWO_THIRDS, Reply(text=text), language="en", embed=embed).result is ACCEPT


def test_a_fraction_is_not_taken_for_one_that_looks_like_it(embed: Embed) -> None:
    verdict = grade(TWO_THIRDS, Reply(text="4/6, 5/9"), language="en", embed=embed)
    assert (verdict.result, verdict.details["extra"]) == (PARTIAL, ["5/9"])


def test_a_slash_between_words_still_parts_them(embed: Embed) -> None:
    assert grade(LIST, Reply(text="agua/luz/CO2"), language="es", embed=embed).result is ACCEPT
