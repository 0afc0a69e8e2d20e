"""The bare view: as many reads, writes and commits as a turn of that kind, in the same order, and nothing else."""

import json
import os
from contextlib import ExitStack

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from psycopg import sql

from benchmarks.own_place import filling
from benchmarks.statements import PLANS

_PAYLOAD = "x" * 200
_SQL = {
    "SELECT": "SELECT payload FROM bench_learner WHERE id = %(learner)s",
    "INSERT": "INSERT INTO bench_row (learner, payload) VALUES (%(learner)s, %(payload)s)",
    "UPDATE": "UPDATE bench_learner SET payload = %(payload)s WHERE id = %(learner)s",
}
_plans: dict[str, list[str]] = json.loads(os.environ.get(PLANS, "{}"))


def tables_make(learners: int) -> None:
    """Make the scratch tables, with one row for each learner, for the application to use."""
    with filling() as cursor:
        cursor.execute("CREATE TABLE bench_learner (id int PRIMARY KEY, payload text NOT NULL)")
        cursor.execute("CREATE TABLE bench_row (id bigserial PRIMARY KEY, learner int NOT NULL, payload text NOT NULL)")
        cursor.execute(
            "INSERT INTO bench_learner SELECT n, %(payload)s FROM generate_series(0, %(last)s) AS n",
            {"payload": _PAYLOAD, "last": learners - 1},
        )
        user = sql.Identifier(connection.settings_dict["USER"])
        cursor.execute(sql.SQL("GRANT ALL ON bench_learner, bench_row, bench_row_id_seq TO {}").format(user))


def statements(request: HttpRequest, way: str, kind: str, learner: int) -> HttpResponse:
    """Run the plan of a turn of that kind against the learner's own rows, by `way` of "orm" or "sql"."""
    run = {"orm": _by_orm, "sql": _by_sql}[way]
    with ExitStack() as stack:
        for verb in _plans[kind]:
            if verb == "BEGIN":
                stack.enter_context(transaction.atomic())
            elif verb == "COMMIT":
                stack.close()
            else:
                run(verb, learner)
    return HttpResponse("done", headers={"Content-Length": "4"})


def _by_sql(verb: str, learner: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_SQL[verb], {"learner": learner, "payload": _PAYLOAD})


def _by_orm(verb: str, learner: int) -> None:
    from benchmarks.floor.models import Learner, Row  # known to Django only in the floor's own processes

    if verb == "SELECT":
        Learner.objects.get(pk=learner)
    elif verb == "INSERT":
        Row.objects.create(learner=learner, payload=_PAYLOAD)
    else:
        Learner.objects.filter(pk=learner).update(payload=_PAYLOAD)
