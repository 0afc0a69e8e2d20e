"""`manage.py deviation`: how far replies of a file are from what was asked. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, get_args

from django.core.management.base import CommandParser
from pydantic import StringConstraints

from core.batch.command import BatchCommand, BatchRow
from gateway.services import texts_embed_locally
from lesson_engine.adaptation import DeviationPolicy, judge_topic, texts_of_topic

_Text = Annotated[str, StringConstraints(max_length=20_000)]


class Row(BatchRow):
    """A reply with its question. An objective may be left out."""

    response: _Text
    question: _Text
    objective: _Text | None = None


class Command(BatchCommand[Row]):
    help = (
        "Tell how far replies are from what was asked. Reads JSON lines from standard input (response, question, and"
        " objective, which may be empty) and writes a JSON line for each, in order: deviation (ON_TOPIC, VAGUE or"
        " OFF_TOPIC) and score from 0 to 1, higher is nearer the topic; or error."
    )
    row = Row
    policy: DeviationPolicy = "semantic"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--policy",
            choices=get_args(DeviationPolicy),
            default="semantic",
            help="semantic compares meanings; word_ratio is the documented rule, by the objective's words alone",
        )

    def begin(self, **options: Any) -> None:
        self.policy = options["policy"]

    def prepare(self, rows: Sequence[Row]) -> None:
        """Embeds the texts of all rows at once. They are kept: a file is often judged again."""
        if self.policy == "semantic":
            wanted = [texts_of_topic(row.response, row.question, row.objective or "") for row in rows]
            texts = list(dict.fromkeys(text for row_texts in wanted for text in row_texts))
            texts_embed_locally(texts, keep=texts)

    def answer(self, row: Row) -> Mapping[str, Any]:
        judged = judge_topic(
            row.response, row.question, row.objective or "", policy=self.policy, embed=texts_embed_locally
        )
        return {"deviation": judged.deviation.value, "score": round(judged.score, 4)}
