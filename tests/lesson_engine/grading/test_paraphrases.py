"""Answers that no version of the grader was made with, against the labels of a teacher.

`tests/data/<slug>_paraphrases.json` holds, for each open question and definition, answers as learners write them: right
in other words (slang, slips, no accents, both sides of the Atlantic), partly right, and wrong (misconceptions, right
words in a wrong relation, roles or directions turned round, denials), each with the teacher's label and why. They were
labelled before anything was graded, and a label is changed only where it was a mistake, not where the grader differs.

They are hard on purpose, and few for each lesson: shares are those of all lessons together.
"""

import json

import pytest

from lesson_engine.contracts import Reply
from tests.lesson_engine.grading.agreement import LabelledVerdict, assert_agreement
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import LESSONS, ROOT, asks, lesson_of, vocabulary_of

LEAST_SURE, MOST_OPPOSITE, MOST_DIFFERENT = 0.4, 0.1, 0.2
"""Floors a little under what is measured. A teacher's own second reading would be the aim."""
LEAST = {"es": 44, "en": 30}
"""Answers for each lesson; 60 and more for the demo lesson."""
Row = dict[str, str]


def paraphrases(slug: str) -> dict[str, list[Row]]:
    loaded: dict[str, list[Row]] = json.loads((ROOT / f"tests/data/{slug}_paraphrases.json").read_text("utf-8"))
    return loaded


def test_of_unseen_paraphrases_few_that_are_sure_are_wrong(graded_once: GradedOnce) -> None:
    rows = []
    for slug in LESSONS:
        language, vocabulary, by_code = lesson_of(slug).meta.language, vocabulary_of(slug), asks(slug)
        for code, answers in paraphrases(slug).items():
            for row in answers:
                verdict = graded_once(by_code[code], Reply(text=row["answer"]), language, vocabulary)
                rows.append(LabelledVerdict(row["label"], verdict, f"{code} ({row['why']}): {row['answer']}"))
    assert_agreement(rows, least_sure=LEAST_SURE, most_opposite=MOST_OPPOSITE, most_different=MOST_DIFFERENT)


@pytest.mark.parametrize("slug", LESSONS)
def test_the_paraphrases_are_many_and_of_every_sort(slug: str) -> None:
    by_code = paraphrases(slug)
    rows = [row for answers in by_code.values() for row in answers]
    written = {code for code, ask in asks(slug).items() if ask.answer.kind in ("open", "definition")}
    assert by_code.keys() == written
    assert all({"right", "partial", "wrong"} == {row["label"] for row in answers} for answers in by_code.values())
    assert len(rows) >= (60 if slug == "fotosintesis" else LEAST[lesson_of(slug).meta.language[:2]])
    assert all(row["why"] for row in rows)


@pytest.mark.parametrize("slug", LESSONS)
def test_no_paraphrase_is_known_from_elsewhere(slug: str) -> None:
    """Neither the lesson nor the answers that the grader was tuned on have it."""
    known = json.loads((ROOT / f"tests/data/{slug}_answers.json").read_text("utf-8"))
    for code, answers in paraphrases(slug).items():
        ask = asks(slug)[code]
        texts = [text for texts in known[code].values() for text in texts]
        texts += [*getattr(ask.answer, "accepted", ()), *(text for one in ask.misconceptions for text in one.examples)]
        seen = {text.casefold().strip(" .") for text in texts}
        assert [row["answer"] for row in answers if row["answer"].casefold().strip(" .") in seen] == []
