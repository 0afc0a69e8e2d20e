"""Sessions from before the counts were kept get them from their turns. Running it again counts the same."""

import json
from functools import lru_cache

from django.db import migrations, transaction

from ._attacks_0003 import authored_kinds, looks_like_attack

BATCH = 500
MOST = 32_767  # what a count can hold


def authored_by(versions):
    """The kinds of attack that a question of a version holds itself; each file is read once."""

    @lru_cache(maxsize=64)
    def questions(version_id):
        lesson = json.loads(bytes(versions.get(pk=version_id).source).decode("utf-8-sig"))
        steps = (step for moment in lesson["moments"] for step in moment["steps"])
        return {step["code"]: step for step in steps if step["type"] == "ASK"}

    return lru_cache(maxsize=None)(lambda version_id, code: authored_kinds(questions(version_id).get(code, {})))


def count(apps, schema_editor):
    alias = schema_editor.connection.alias
    sessions = apps.get_model("lesson_engine", "Session").objects.using(alias)
    turns = apps.get_model("lesson_engine", "Turn").objects.using(alias)
    authored = authored_by(apps.get_model("lesson_engine", "LessonVersion").objects.using(alias))
    last = None
    while batch := list((sessions.filter(pk__gt=last) if last else sessions).order_by("pk")[:BATCH]):
        with transaction.atomic(using=alias):
            changed = list(recounted(batch, turns, authored))
            sessions.bulk_update(changed, ["doubtful", "dead_ends", "attacks"])
        last = batch[-1].pk


def recounted(batch, turns, authored):
    """The sessions of the batch whose counts were not right, with the right ones."""
    by_id = {session.pk: session for session in batch}
    counts = {pk: [0, dead_ends(session.state), 0] for pk, session in by_id.items()}
    answers = turns.filter(session__in=batch, kind="answer", state="done")
    columns = ("session_id", "ask_code", "verdict__rule", "verdict__doubtful", "words__text", "words__choices")
    for session_id, ask_code, rule, doubtful, text, choices in answers.values_list(*columns):
        counts[session_id][0] += doubtful is True
        version_id = by_id[session_id].lesson_version_id
        if text is not None:  # None: the words were erased
            written = "\n".join((text, *choices))
            counts[session_id][2] += looks_like_attack(
                written, rule, lambda version=version_id, ask=ask_code: authored(version, ask)
            )
    for pk, session in by_id.items():
        found = tuple(min(number, MOST) for number in counts[pk])
        if found != (session.doubtful, session.dead_ends, session.attacks):
            session.doubtful, session.dead_ends, session.attacks = found
            yield session


def dead_ends(state):
    return sum(record.get("outcome") == "shown" for record in state.get("asks", {}).values())


class Migration(migrations.Migration):

    atomic = False  # batch by batch: nothing is locked for long

    dependencies = [("lesson_engine", "0002_authors_courses_reports")]

    operations = [migrations.RunPython(count, migrations.RunPython.noop, elidable=True)]
