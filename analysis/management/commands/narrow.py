"""`manage.py narrow`: questions or requirements of a file, each with the few tools that fit. See spec 5, 3."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from analysis.catalog.faults import CatalogRefused
from analysis.catalog.reading import catalog_load, catalog_shipped
from analysis.contracts.requirements import Details, Reading, Requirements
from analysis.narrowing.index import index_of
from analysis.narrowing.narrow import tools_for_queries
from analysis.narrowing.queries import Query, queries_of, queries_of_text
from core.batch.command import BatchCommand, BatchRow, RowRefused
from gateway.services import texts_embed_locally

LIMIT = 10


class Row(BatchRow):
    """A question, or requirements by the documented schema; both together are one query more."""

    question: str = ""
    requirements: Requirements | None = None


class Command(BatchCommand[Row]):
    help = (
        "Find the few tools of a catalog that fit. Reads JSON lines from standard input (question, or requirements with"
        " metrics, group_by, time, analysis, outputs and constraints) and writes a JSON line for each, in order: tools"
        " (names, the likeliest first); or error."
    )
    row = Row

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--catalog",
            metavar="FILE",
            help="A catalog, YAML or JSON: entries with name, description and more, or descriptions by name; left out,"
            " the one that comes with the product.",
        )
        parser.add_argument("--limit", metavar="N", type=int, default=LIMIT, help="How many tools at most; 10.")

    def begin(self, **options: Any) -> None:
        if options["limit"] < 1:
            raise CommandError("--limit is 1 at least")
        self._limit: int = options["limit"]
        path = options["catalog"]
        try:
            self._index = index_of(catalog_load(path) if path else catalog_shipped())
        except CatalogRefused as error:
            raise CommandError(f"{path} cannot be used:\n{error.message}") from error

    def prepare(self, rows: Sequence[Row]) -> None:
        texts_embed_locally([query.text for row in rows for query in _queries(row)])

    def answer(self, row: Row) -> Mapping[str, Any]:
        queries = _queries(row)
        if not queries:
            raise RowRefused("a question or requirements are expected, and neither is here")
        return {"tools": list(tools_for_queries(queries, index=self._index, limit=self._limit).names)}


def _queries(row: Row) -> tuple[Query, ...]:
    if row.requirements is None:
        return queries_of_text(row.question) if row.question.strip() else ()
    return queries_of(Reading(requirements=row.requirements, details=Details()), row.question)
