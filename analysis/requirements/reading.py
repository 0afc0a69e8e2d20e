"""A question over a table, read."""

from collections.abc import Sequence

from analysis.contracts.requirements import ChartShape, Reading
from analysis.contracts.tables import TableSchema
from analysis.requirements.chances import Chances
from analysis.requirements.deciding import meaning_of
from analysis.requirements.evidence import Evidence
from analysis.requirements.meaning import reading_of
from analysis.requirements.pairing import chart_ranked
from analysis.requirements.spans import Question, questions_prepare


def question_read(question: str, schema: TableSchema) -> Reading:
    """What a question asks of a table. Deterministic; no model of language is asked."""
    return reading_of(meaning_of(Evidence(Question(question), schema)))


def chart_read(question: str, schema: TableSchema) -> ChartShape:
    """The chart that suits a question: axes and aggregate by the ranker, whatever else is asked."""
    return chart_ranked(Chances(Evidence(Question(question), schema)))


def questions_embed(questions: Sequence[str]) -> None:
    """Embed the words of several questions at once, for those who read them one by one next."""
    questions_prepare([Question(question) for question in questions])
