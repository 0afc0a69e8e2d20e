"""A question over a table, read."""

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from analysis.contracts.requirements import ChartShape, ChartType, Function, Reading
from analysis.contracts.tables import TableSchema
from analysis.requirements.charting import AGGREGATES
from analysis.requirements.conditions import LIKELY
from analysis.requirements.deciding import meaning_of
from analysis.requirements.inputs import inputs_of
from analysis.requirements.meaning import reading_of
from analysis.requirements.network import CHARTS, PARTS, outcome_of
from analysis.requirements.phrasing import Naming
from analysis.requirements.spans import Question, questions_prepare

_UNNAMED: Final = 0.05
"""What a column counts as an axis that no word fits, beside 1 for one that is named to the letter."""
_TWICE: Final = 0.3
"""What a column counts as the second axis that is the first."""


def question_read(question: str, schema: TableSchema) -> Reading:
    """What a question asks of a table. Deterministic; no model of language is asked."""
    return reading_of(meaning_of(Question(question), schema))


def chart_read(question: str, schema: TableSchema) -> ChartShape:
    """The chart that suits a question: axes and aggregate, whatever else is asked.

    The axes are those that the words fit, whatever they mean: the y axis may well be the mean of an identifier.
    """
    asked, names = Question(question), tuple(column.name for column in schema.columns)
    inputs = inputs_of(asked, schema).without_meanings()
    outcome, fits = outcome_of(inputs), Naming(asked, inputs, names).fits.max(axis=0, initial=0.0) + _UNNAMED
    x = int((outcome.x * fits).argmax())
    likely = outcome.y * np.append(fits, 1.0)
    likely[x] *= _TWICE
    y = int(likely.argmax())
    function = cast(Function, PARTS[1 + int(outcome.aggregate[1:].argmax())])
    is_count = function == "count" or y == len(names)
    group = outcome.group.copy()
    group[[at for at in (x, y) if at < len(names)]] = 0
    return ChartShape(
        type=cast(ChartType, CHARTS[1 + int(outcome.chart[1:].argmax())]),
        x=names[x],
        y="*" if is_count else names[y],
        aggregate="count" if is_count else AGGREGATES.get(function),
        color=names[int(group.argmax())] if group.max() > LIKELY else None,
    )


def questions_embed(questions: Sequence[str]) -> None:
    """Embed the words of several questions at once, for those who read them one by one next."""
    questions_prepare([Question(question) for question in questions])
