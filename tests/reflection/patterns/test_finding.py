"""What keeps happening, by the counts. Sources: RT-010, 5; RF-008; design.md, "Settled", 5."""

import math
import random

from planning.experience import adjustment_parse
from reflection.contracts import PatternFound, PatternState
from reflection.contracts.failure import PastEpisode
from reflection.patterns import (
    features_of,
    pattern_recounted,
    pattern_words,
    patterns_found,
    validity_of,
    wilson_lower,
)
from reflection.quality import PatternValidator
from tests.reflection.past_made import QUALITY, Check, episode, failure, times

GOOD: Check = ("Hotel quality >= 7", True)
PRICE: Check = ("Price <= 200", True)
DEAR: Check = ("Price <= 200", False)
FELL = "fails:quality >= 7"


def by_outcome(found: list[PatternFound]) -> dict[str, PatternFound]:
    return {one.outcome: one for one in found}


def test_rf_008_three_equal_failures_make_a_pattern_3_of_3() -> None:
    [found] = patterns_found(failure(QUALITY, PRICE, past=times(2, QUALITY, PRICE)))
    assert found.text == "In 3 of 3 hotel searches sorted by price, quality fell short of 7"
    assert (found.condition, found.outcome, found.domain) == (("priority=price",), FELL, "hotel_booking")
    assert (found.support, found.contrary, found.total, found.confidence) == (3, 0, 3, 1.0)
    assert (found.state, found.episodes) == (PatternState.PROVISIONAL, ("e0", "e1"))


def test_rf_008_in_spanish() -> None:
    check = ("Calidad del hotel >= 7", False)
    plan = {"language": "es", "priority": "precio"}
    [found] = patterns_found(failure(check, past=times(2, check, **plan), **plan))
    assert found.text == "En 3 de 3 búsquedas de hotel ordenadas por precio, la calidad no llegó a 7"


def test_section_5_two_failures_are_no_pattern() -> None:
    assert patterns_found(failure(QUALITY, past=times(1, QUALITY))) == []
    assert patterns_found(failure(QUALITY)) == []
    thrice_well = times(3, GOOD)
    assert patterns_found(failure(QUALITY, past=[*thrice_well, *times(1, QUALITY)])) == []


def test_section_5_confidence_is_occurrences_over_the_episodes_looked_at() -> None:
    silent = [episode(("has pool", False), number=n) for n in range(9)]
    found = by_outcome(patterns_found(failure(QUALITY, past=[*times(2, QUALITY), silent[0]])))
    assert (found[FELL].support, found[FELL].total) == (3, 3)  # under "asks for quality" the other says nothing
    alike = [PastEpisode(id=f"s{n}", content="", failed=True, features=frozenset({"priority=price"})) for n in range(2)]
    bare = PatternFound(text="-", condition=("priority=price",), outcome=FELL)
    assert pattern_recounted(bare, [*times(3, QUALITY), alike[0]]).confidence == 0.75
    assert pattern_recounted(bare, [*times(3, QUALITY), alike[0]]).state == PatternState.PROVISIONAL
    assert pattern_recounted(bare, [*times(3, QUALITY), *alike]).confidence == 0.6
    assert pattern_recounted(bare, [*times(3, QUALITY), *alike]).state == PatternState.RETIRED


def test_section_1_successes_under_the_same_condition_are_contrary_and_at_most_a_tenth() -> None:
    assert patterns_found(failure(QUALITY, past=[*times(4, QUALITY), *times(1, GOOD)])) == []
    found = by_outcome(patterns_found(failure(QUALITY, past=[*times(8, QUALITY), episode(GOOD, number=99)])))
    assert (found[FELL].support, found[FELL].contrary, found[FELL].contrary_episodes) == (9, 1, ("e99",))
    assert validity_of(found[FELL]).false_positives == 0.1


def test_successes_under_another_condition_are_not_contrary_to_it() -> None:
    past = [*times(3, QUALITY), *times(6, GOOD, priority="quality")]
    [found] = patterns_found(failure(QUALITY, past=past))
    assert (found.condition, found.support, found.contrary, found.total) == (("priority=price",), 4, 0, 4)
    assert found.state == PatternState.ESTABLISHED


def test_a_failure_in_which_the_same_was_met_is_contrary() -> None:
    past = [*times(2, QUALITY), *times(2, GOOD, DEAR)]
    assert FELL not in by_outcome(patterns_found(failure(QUALITY, past=past)))


def test_what_goes_without_saying_is_no_condition() -> None:
    plan = {"priority": None, "source": "template"}
    check = ("Report has conclusion", False)
    [found] = patterns_found(failure(check, past=times(3, check, **plan), **plan))
    assert found.condition == ()
    held = {"constraints": ["quality >= 7"], "priority": "quality"}
    [found] = patterns_found(failure(QUALITY, past=times(3, QUALITY, **held), **held))
    assert found.condition == ()


def test_what_sets_failures_apart_from_successes_is_the_condition() -> None:
    free: dict[str, list[str]] = {"constraints": []}
    held = {"constraints": ["quality >= 7"]}
    plan = {"priority": "location"}
    past = [*times(4, QUALITY, **free, **plan), *times(5, GOOD, **held, **plan)]
    [found] = patterns_found(failure(QUALITY, past=past, **plan))
    assert found.condition == ("unconstrained:quality",)
    cached = [*times(4, QUALITY, source="cache"), *times(5, GOOD, source="template")]
    [found] = patterns_found(failure(QUALITY, past=cached, source="cache"))
    assert found.condition == ("source=cache",)
    asked = [*times(3, QUALITY), *times(5, PRICE)]
    [found] = patterns_found(failure(QUALITY, past=asked))
    assert found.condition == ("asks:quality", "priority=price")
    assert found.text == "In 4 of 4 hotel searches sorted by price and asking for quality, quality fell short of 7"


def test_thresholds_that_differ_are_one_pattern_of_the_field() -> None:
    past = [episode((f"quality >= {n}", False), number=n) for n in (6, 8)]
    [found] = patterns_found(failure(QUALITY, past=past))
    assert found.outcome == "fails:quality"
    assert found.text == "In 3 of 3 hotel searches sorted by price, quality was not what was asked for"


def test_at_most_five_the_strongest_and_no_field_twice() -> None:
    checks = [(f"{name} >= 7", False) for name in ("quality", "comfort", "safety", "speed", "service", "size", "noise")]
    past = [*times(3, checks[6]), *times(2, *checks)]
    found = patterns_found(failure(*checks, past=past))
    assert len(found) == 5
    assert found[0].outcome == "fails:noise >= 7"
    fields = [one.outcome.split(">=")[0] for one in found]
    assert len(set(fields)) == 5


def test_refusals_and_missing_data_are_outcomes() -> None:
    checks = (("User confirms", False), ("has pool", None), ("Learner finishes", False))
    found = by_outcome(patterns_found(failure(*checks, past=times(2, *checks))))
    assert set(found) == {"rejected", "missing:pool", "fails:finish"}


def test_wilson_lower_bound_is_exact() -> None:
    known = {(3, 3): 0.438503, (4, 4): 0.510109, (9, 10): 0.595850, (50, 100): 0.403832, (1, 1): 0.206549}
    assert {pair: round(wilson_lower(*pair), 6) for pair in known} == known
    assert (wilson_lower(0, 0), wilson_lower(0, 10), wilson_lower(10**6, 10**6) < 1) == (0, 0, True)
    for support, total in ((3, 4), (17, 51), (51, 51)):
        low, share, z = wilson_lower(support, total), support / total, 1.959963984540054
        assert math.isclose(share - low, z * math.sqrt(low * (1 - low) / total))  # what defines the interval


def test_settled_5_a_lower_bound_under_a_half_is_provisional() -> None:
    for count, state in ((2, PatternState.PROVISIONAL), (3, PatternState.ESTABLISHED)):
        [found] = patterns_found(failure(QUALITY, past=times(count, QUALITY)))
        assert found.state == state


def test_counted_anew_a_pattern_moves_both_ways_and_retires() -> None:
    [found] = patterns_found(failure(QUALITY, past=times(2, QUALITY)))
    states = []
    for past in (
        times(3, QUALITY),
        times(6, QUALITY),
        [*times(3, QUALITY), episode(("has pool", False))],
        [*times(6, QUALITY), *times(2, GOOD)],
        [],
    ):
        counted = pattern_recounted(found, past, "en")
        states.append((counted.state.value, counted.support, counted.contrary, counted.total))
    assert states == [
        ("provisional", 3, 0, 3),
        ("established", 6, 0, 6),
        ("provisional", 3, 0, 4),
        ("retired", 6, 2, 8),
        ("retired", 0, 0, 0),
    ]
    assert pattern_recounted(found, times(6, QUALITY), "en").text.startswith("In 6 of 6 hotel searches")
    words_alone = PatternFound(text="cheap hotels disappoint")
    assert pattern_recounted(words_alone, times(6, QUALITY)) == words_alone


def test_the_validity_is_the_confidence_with_what_it_stands_on() -> None:
    [found] = patterns_found(failure(QUALITY, past=times(2, QUALITY)))
    validity = validity_of(found)
    assert (float(validity), validity.occurrences, validity.episodes, validity.false_positives) == (1.0, 3, 3, 0.0)
    assert validity["lower_bound"] == found.lower_bound
    few = validity_of(PatternFound(text="-", support=2, total=2, confidence=1.0))
    assert (float(few), few.false_positives) == (0.0, 0.0)
    assert validity_of(PatternFound(text="-")).false_positives is None


def test_what_is_found_is_what_is_counted_anew_over_the_same_episodes() -> None:
    """Of random pasts: every pattern keeps its figures when its own failure is an episode, and meets the minima."""
    chance = random.Random(7)
    names = ("quality >= {}", "price <= {}", "comfort >= {}", "has pool", "User confirms")
    for _round in range(150):

        def checks() -> list[Check]:
            return [
                (
                    name if " " in name else f"{name} >= {chance.choice((7, 8))}",
                    chance.choice((True, False, False, None)),
                )
                for name in chance.sample(names, chance.randint(1, 4))
            ]

        def plan() -> dict[str, object]:
            return {
                "priority": chance.choice(("price", "quality", None)),
                "constraints": chance.choice(([], ["quality >= 7"])),
                "language": chance.choice(("en", "es")),
                "source": chance.choice(("cache", "template")),
            }

        past = [episode(*checks(), number=number, **plan()) for number in range(chance.randint(0, 12))]
        now = failure(("quality >= 7", False), *checks(), past=past, **plan())
        own = PastEpisode(id="own", content="", failed=True, features=features_of(now.plan, now.evaluation))
        found = patterns_found(now)
        assert len(found) <= 5
        for one in found:
            again = pattern_recounted(one, [own, *past], now.language)
            assert again.model_copy(update={"episodes": again.episodes[1:]}) == one
            assert one.support >= 3
            assert one.confidence >= 0.75
            assert one.contrary <= 0.1 * (one.support + one.contrary)


def test_patterns_in_words_read_well_and_are_no_adjustments() -> None:
    said = {
        ("en", "hotel_booking", ("priority=price",), "fails:price <= 200"): (
            "In 3 of 4 hotel searches sorted by price, price went over 200"
        ),
        ("es", "hotel_booking", (), "fails:pool"): "En 3 de 4 búsquedas de hotel, faltó la piscina",
        ("en", "lesson", ("priority=understanding",), "fails:finish"): (
            "In 3 of 4 lessons with priority on understanding, the user did not finish"
        ),
        ("es", "lesson", ("source=cache",), "fails:hint <= 3"): (
            "En 3 de 4 lecciones a partir de un plan anterior, las pistas pasaron de 3"
        ),
        ("en", "report_writing", ("unconstrained:accuracy",), "missing:source"): (
            "In 3 of 4 reports without a constraint on accuracy, there were no data on sources"
        ),
        ("es", "recipe", ("asks:calories",), "fails:no nueces"): (
            "En 3 de 4 recetas que piden las calorías, «sin nueces» no se cumplió"
        ),
        ("en", "gardening", ("language=es",), "fails:delivery <= 2026-05-01"): (
            "In 3 of 4 tasks (gardening) in Spanish, delivery was after 2026-05-01"
        ),
        ("en", "software_bugfix", ("adjusted:priority=speed",), "fails:status == tests_green"): (
            "In 3 of 4 bug fixes adjusted to “priority=speed”, status was not tests green"
        ),
    }
    wrong = {}
    for (language, domain, condition, outcome), wanted in said.items():
        found = PatternFound(text="", domain=domain, condition=condition, outcome=outcome, support=3, total=4)
        text = pattern_words(found, language)
        if text != wanted or adjustment_parse(text) is not None:
            wrong[outcome] = text
    assert wrong == {}


def test_words_of_any_features_are_bounded_and_break_nothing() -> None:
    odd = (
        "fails:{0} >= {value}",
        "fails:" + "x" * 113,
        "missing:",
        "unclear:a_b",
        "what:ever",
        "fails:no ",
        "rejected",
    )
    for outcome in odd:
        found = PatternFound(text="", condition=("setting:{a}={b}", "odd", "priority="), outcome=outcome)
        for language in ("en", "es", "fr"):
            assert 10 < len(pattern_words(found, language)) <= 500


def test_section_5_the_documented_keywords_find_the_same_statement_and_no_other() -> None:
    said = {
        "en": "Hotel searches sorted by price fell short of quality 7: put quality first. Failed: Book hotel in Paris",
        "es": "Las búsquedas de hotel ordenadas por precio no llegaron a la calidad 7. Fallido: Reservar hotel",
    }
    others = ("Failed: Book hotel in Paris", "Fallido: Reservar hotel en París", "Done: Lesson on fractions (3/3)")
    for language, content in said.items():
        found = PatternFound(
            text="", domain="hotel_booking", condition=("priority=price",), outcome=FELL, support=3, total=3
        )
        text = pattern_words(found, language)
        assert PatternValidator().validate_against(text, [content] * 3).occurrences == 3, text
        assert PatternValidator().validate_against(text, others).occurrences == 0
