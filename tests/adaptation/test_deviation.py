"""How far a reply is from what was asked: the documented word-ratio rule, and the default that beats it."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.services import texts_embed_locally
from lesson_engine.adaptation import detect_topic_deviation, reply_deviation
from lesson_engine.adaptation.deviation import references
from lesson_engine.contracts import Ask, TopicDeviation
from tests.lessons.build import Json, ask
from tests.player.walks import verdict

ON, VAGUE, OFF = TopicDeviation.ON_TOPIC, TopicDeviation.VAGUE, TopicDeviation.OFF_TOPIC
TEN = "alpha bravo charlie delta echoes foxtrot golfs hotel india juliett"


def by_words(response: str, objective: str) -> TopicDeviation:
    return detect_topic_deviation(response, "any question", objective, policy="word_ratio")


@pytest.mark.parametrize(
    ("response", "objective", "expected"),
    [
        ("alpha bravo charlie", TEN, ON),  # exactly 0.3
        ("alpha bravo", TEN, VAGUE),
        ("alpha", TEN, VAGUE),  # exactly 0.1
        ("nothing of it", TEN, OFF),
        ("", TEN, OFF),
        ("ALPHA Bravo cHaRlIe", TEN, ON),
        ("alpha bravo charlie", TEN.upper(), ON),
        ("STRASSE", "Straße", ON),
        ("alphabet, bravos!", "alpha bravo", ON),  # contained is enough, as documented
        ("the sun", "the sun is hot", OFF),  # words of three letters do not count
        ("hot", "is hot", OFF),  # no word counts: nothing can match
        ("hot", "", OFF),
        ("plants", "plants\tand\n light", ON),
        ("water", "plants, light, gases, water", VAGUE),
        ("plants", "plants, light", OFF),  # the comma belongs to the word, as documented
    ],
)
def test_the_documented_rule(response: str, objective: str, expected: TopicDeviation) -> None:
    assert by_words(response, objective) is expected


@given(st.text(), st.lists(st.text(alphabet="abcdeé ", min_size=1)))
def test_the_documented_rule_word_for_word(response: str, words: list[str]) -> None:
    objective = " ".join(words)
    counted = [word for word in objective.casefold().split() if len(word) > 3]
    ratio = len([word for word in counted if word in response.casefold()]) / max(1, len(counted))
    assert by_words(response, objective) is (ON if ratio >= 0.3 else VAGUE if ratio >= 0.1 else OFF)


def test_without_an_embedder_the_documented_rule_decides() -> None:
    assert detect_topic_deviation("alpha bravo charlie", "q", TEN) is ON


TOPICS = {
    "es-plants": (
        "¿Por qué las hojas son verdes?",
        "Explicar el color de las hojas por la luz que la clorofila refleja.",
        ("Porque la clorofila refleja la luz verde.", "La clorofila absorbe el rojo y el azul y devuelve el verde."),
    ),
    "es-history": (
        "¿Por qué cayó el Imperio romano de Occidente?",
        "Dar causas de la caída del Imperio romano.",
        ("Por las invasiones bárbaras y la crisis económica.", "El ejército era débil y los emperadores cambiaban."),
    ),
    "en-circuits": (
        "Why does the bulb go out when you open the switch?",
        "Explain that current flows only in a closed circuit.",
        ("Opening the switch makes a gap, so no current flows.", "The bulb is no longer in a closed path."),
    ),
    "en-cooking": (
        "Why does bread dough rise?",
        "Explain that yeast makes gas that the dough traps.",
        ("Yeast eats the sugar and gives off carbon dioxide bubbles.", "Gas from fermentation is trapped by gluten."),
    ),
}
ON_TOPIC_REPLIES = [
    ("es-plants", "porque la clorofila rebota el color verde"),
    ("es-plants", "las hojas tienen un pigmento que no absorbe el verde"),
    ("es-plants", "porque absorven la luz verde"),  # wrong and misspelt is still on topic
    ("es-plants", "Por la clorofila"),
    ("es-plants", "porque las plantas toman el color del agua y la tierra"),
    ("es-history", "los barbaros invadieron roma"),
    ("es-history", "Había mucha corrupción y los soldados no cobraban"),
    ("es-history", "porque los romanos perdieron todas sus legiones"),
    ("es-history", "la economía se hundió y subieron los impuestos"),
    ("es-history", "El imperio era demasiado grande para gobernarlo"),
    ("en-circuits", "the electricity cannot get across the gap"),
    ("en-circuits", "becuase the curcuit isnt closed"),
    ("en-circuits", "the battery runs out of power"),
    ("en-circuits", "there is a break in the path"),
    ("en-circuits", "The switch uses up the current before the bulb"),
    ("en-cooking", "the yeast makes bubbles"),
    ("en-cooking", "because the flour gets hot and swells"),
    ("en-cooking", "carbon dioxide from fermentation"),
    ("en-cooking", "sugar is eaten by little living things that burp gas"),
    ("en-cooking", "Kneading pushes air into the dough"),
]
STRAY_REPLIES = [
    "Ayer mi equipo ganó tres a cero",
    "¿Podemos hablar de videojuegos?",
    "Mi hermana toca el piano los jueves",
    "El triángulo tiene tres lados",
    "Me he comprado unas zapatillas nuevas",
    "No me apetece hacer los deberes hoy",
    "my dog is called Toby",
    "I watched a funny movie last weekend",
    "The capital of France is Paris",
    "Football is much better than this lesson",
]


def classified(topic: str, reply: str, policy: str, *, known: bool) -> TopicDeviation:
    question, objective, answers = TOPICS[topic]
    shown = answers if known else ()
    if policy == "word_ratio":
        return by_words(reply, objective)
    return detect_topic_deviation(reply, question, objective, references=shown, embed=texts_embed_locally)


def accuracy(policy: str, *, known: bool) -> float:
    """Balanced, of on topic against not on topic; replies to the other topics and chatter are not."""
    on = [classified(topic, reply, policy, known=known) is ON for topic, reply in ON_TOPIC_REPLIES]
    strays = [(topic, reply) for topic in TOPICS for reply in STRAY_REPLIES]
    strays += [(topic, reply) for topic in TOPICS for other, reply in ON_TOPIC_REPLIES if other != topic]
    off = [classified(topic, reply, policy, known=known) is not ON for topic, reply in strays]
    return (sum(on) / len(on) + sum(off) / len(off)) / 2


def test_the_default_beats_the_documented_rule_by_far() -> None:
    documented = accuracy("word_ratio", known=False)
    assert accuracy("semantic", known=True) > max(0.93, documented + 0.2)
    assert accuracy("semantic", known=False) > max(0.85, documented + 0.15)


@pytest.mark.parametrize(("topic", "reply"), ON_TOPIC_REPLIES)
def test_an_answer_is_hardly_ever_taken_for_something_else(topic: str, reply: str) -> None:
    assert classified(topic, reply, "semantic", known=True) is not OFF


@pytest.mark.parametrize("reply", STRAY_REPLIES)
@pytest.mark.parametrize("topic", TOPICS)
def test_chatter_is_never_on_topic(topic: str, reply: str) -> None:
    assert classified(topic, reply, "semantic", known=True) is not ON


@pytest.mark.parametrize("reply", ["", "   ", "?!", "\u200b"])
def test_a_reply_without_words_is_vague(reply: str) -> None:
    assert detect_topic_deviation(reply, "q", "objective", embed=texts_embed_locally) is VAGUE


def test_a_pasted_book_costs_no_more_than_some_replies() -> None:
    question, objective, answers = TOPICS["es-plants"]

    def median(reply: Callable[[int], str]) -> float:
        times = []
        for n in range(-3, 21):
            started = time.perf_counter()
            detect_topic_deviation(reply(n), question, objective, references=answers, embed=texts_embed_locally)
            times.append(time.perf_counter() - started)
        return sorted(times[3:])[10]

    reply = median(lambda n: f"porque la clorofila refleja {n} rayos de luz verde")
    assert median(lambda n: f"{n} la luz verde " * 2_000) < 200 * reply


def judged(value: Json, text: str = "my dog is called Toby", **changes: object) -> TopicDeviation:
    question = Ask.model_validate(value)
    return reply_deviation(question, text, verdict(**changes), embed=texts_embed_locally)  # type: ignore[arg-type]


@pytest.mark.parametrize("result", ["ACCEPT", "PARTIAL"])
def test_what_was_found_right_is_on_topic_whatever_its_words(result: str) -> None:
    assert judged(ask(), result=result) is ON


def test_a_known_error_is_on_topic() -> None:
    assert judged(ask(), misconception="m") is ON


@pytest.mark.parametrize("result", ["REJECT", "NOT_GRADABLE"])
def test_what_is_no_attempt_is_never_on_topic(result: str) -> None:
    assert judged(ask(), "I do not know what plants take from the air", result=result, no_attempt=True) is VAGUE


def test_what_cannot_be_graded_is_vague() -> None:
    assert judged(ask(), "plants take air", result="NOT_GRADABLE") is VAGUE


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "numeric", "value": 3},
        {"kind": "choice", "choices": [{"code": "x", "text": "X", "correct": True}, {"code": "y", "text": "Y"}]},
    ],
)
def test_a_closed_question_cannot_be_strayed_from(answer: Json) -> None:
    assert judged(ask(answer=answer), "7") is ON


def test_a_wrong_reply_is_judged_by_its_meaning() -> None:
    assert judged(ask(), "plants take oxygen from the air") is ON
    assert judged(ask()) is OFF


def test_all_that_the_author_wrote_about_the_answer_counts() -> None:
    wrong = [{"code": "m", "examples": ["soil"], "feedback": "f"}]
    kinds: list[tuple[Json, tuple[str, ...]]] = [
        ({"kind": "open", "accepted": ["air"]}, ("air",)),
        ({"kind": "definition", "term": "t", "accepted": ["air"]}, ("air",)),
        ({"kind": "list", "items": [["a", "b"], ["c"]]}, ("a", "b", "c")),
        ({"kind": "procedure", "steps": [["a"], ["b", "c"]]}, ("a", "b", "c")),
        ({"kind": "numeric", "value": 1}, ()),
    ]
    for answer, expected in kinds:
        assert references(Ask.model_validate(ask(answer=answer, misconceptions=wrong))) == (*expected, "soil")
