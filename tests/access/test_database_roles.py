"""What each role of the database may do, by its grants and by triggers that no variable switches off."""

from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.core.checks import CheckMessage
from django.core.management import call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.db.models.signals import post_migrate
from kombu.connection import Connection

from config import database_roles
from config.database import broker_url, django_database
from config.database_roles import APPLICATION, OWNER, READER
from core.operations.rights import refused_by, rights_apply, rights_are_granted, rights_check
from core.services import broker_purge
from tests.conftest import LessonMaker
from tests.database import administration, superuser, this_database, with_role
from tests.each import each
from tests.gateway.ledger_helpers import held, lesson
from tests.hands import as_role, assert_never, executing

pytestmark = pytest.mark.django_db
APPEND_ONLY = {
    "gateway_entry", "gateway_price", "lesson_engine_lessonversion", "lesson_engine_publication", "routing_auditentry",
    "routing_governordecision", "routing_packversion", "routing_queryplan", "routing_synthesizeroutput",
    "telemetry_event",
}  # fmt: skip
KEPT = {"gateway_account", "gateway_hold", "routing_auditchain", "routing_question", "telemetry_chain"}
UNCHANGED_IN_PART = {"lesson_engine_answerexample", "lesson_engine_verdictreview"}
"""Of their rows a few columns change."""
UNCHANGED = {
    "evaluation_criterioncheck", "evaluation_evaluation", "planning_criterion", "planning_step", "reflection_attempt",
    "reflection_reflectionreview",
}  # fmt: skip
TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
MAY = "SELECT has_table_privilege(%s, %s, %s)"
READABLE = """
SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
  AND has_column_privilege('andamio_reader', attrelid, attnum, 'SELECT')
"""


def rows(query: str, *values: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall())


def may(role: str, table: str, privilege: str) -> bool:
    return bool(rows(MAY, role, table, privilege)[0][0])


def test_tests_work_with_the_rights_of_the_application() -> None:
    assert rows("SELECT current_user, rolsuper FROM pg_roles WHERE rolname = current_user") == [(APPLICATION, False)]
    assert {row[0] for row in rows("SELECT tableowner FROM pg_tables WHERE schemaname = 'public'")} == {OWNER}


def test_append_only_tables_take_rows_and_nothing_else() -> None:
    refused = {model._meta.db_table: refused_by(model)[0] for model in apps.get_models() if refused_by(model)[0]}
    whole = {"UPDATE", "DELETE", "TRUNCATE"}
    assert {table for table, statements in refused.items() if statements == whole} == APPEND_ONLY | UNCHANGED_IN_PART
    assert {table for table, statements in refused.items() if statements == {"DELETE", "TRUNCATE"}} == KEPT
    assert {table for table, statements in refused.items() if statements == {"UPDATE", "TRUNCATE"}} == UNCHANGED
    for table, statements in refused.items():
        assert may(APPLICATION, table, "INSERT")
        assert not any(may(APPLICATION, table, privilege) for privilege in statements)


def test_no_table_at_all_can_be_truncated_or_altered_by_the_application() -> None:
    tables = [str(row[0]) for row in rows(TABLES)]
    assert {"kombu_message", "kombu_queue", "django_migrations"} < set(tables)
    for privilege in ("TRUNCATE", "REFERENCES", "TRIGGER"):
        assert [table for table in tables if may(APPLICATION, table, privilege)] == []
    assert [table for table in tables if may(READER, table, "INSERT") or may(READER, table, "DELETE")] == []


def test_the_past_is_refused_by_rights_and_by_triggers() -> None:
    held(lesson())
    connection.check_constraints()  # PostgreSQL truncates nothing while a check is pending
    for table in (*APPEND_ONLY, *KEPT, *UNCHANGED, *UNCHANGED_IN_PART):
        assert_never(executing(f"TRUNCATE {table} CASCADE"))
    for table in (*APPEND_ONLY, *KEPT):
        assert_never(executing(f"DELETE FROM {table}"))
    for table in (*APPEND_ONLY, *UNCHANGED):
        assert_never(executing(f"UPDATE {table} SET id = id"))


def test_the_application_gives_no_entry_a_place() -> None:
    held(lesson())
    for change in ("seq = 7", f"hash = '{'0' * 64}'", "previous_hash = ''"):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            rows(f"UPDATE gateway_entry SET {change} WHERE seq IS NULL RETURNING id")
    granted = "SELECT FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid = 'gateway_entry'::regclass"
    assert rows(granted) == []


def test_a_variable_of_the_session_switches_no_trigger_off() -> None:
    held(lesson())
    (trigger,) = rows("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'pgtrigger_entry_append_only%%'")[0]
    with as_role(OWNER), pytest.raises(IntegrityError, match="is refused"), transaction.atomic():
        rows(f"SET pgtrigger.ignore = '{{{trigger},gateway_entry:{trigger}}}'; DELETE FROM gateway_entry RETURNING id")
    with pytest.raises(ProgrammingError, match="permission denied to set parameter"), transaction.atomic():
        rows("SET session_replication_role = replica")


@each(
    "statement",
    [
        "CREATE TEMP TABLE gateway_entry (id int)",
        "CREATE TABLE mine (id int)",
        "CREATE SCHEMA mine",
        "ALTER TABLE gateway_entry DISABLE TRIGGER ALL",
        "DROP TABLE gateway_entry",
        "CREATE FUNCTION public._pgtrigger_should_ignore(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "ALTER FUNCTION public._pgtrigger_should_ignore(name) STABLE",
        "SET ROLE andamio_owner",
        "UPDATE django_migrations SET name = 'x'",
        "DELETE FROM django_content_type",
    ],
)
def test_the_application_makes_and_changes_no_table(statement: str) -> None:
    """By a login of its own: the tests' is a superuser's underneath."""
    with (
        psycopg.connect(this_database()) as application,
        pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.SyntaxError)) as refused,
    ):
        application.execute(statement.encode())
    assert "permission denied" in str(refused.value) or "must be owner" in str(refused.value)


def test_the_reader_sees_figures_and_neither_words_nor_secrets() -> None:
    readable = {(str(table), str(column)) for table, column in rows(READABLE)}
    assert {("telemetry_event", "data"), ("gateway_entry", "spent"), ("lesson_engine_turn", "result")} < readable
    tables = {table for table, _ in readable}
    assert not any(table.startswith(("otp_", "django_", "auth_", "axes_", "kombu_")) for table in tables)
    secret = {
        ("accounts_user", "password"), ("accounts_user", "username"), ("accounts_user", "email"),
        ("accounts_apitoken", "digest"), ("accounts_apitoken", "prefix"), ("lesson_engine_learnertext", "text"),
        ("lesson_engine_learnertext", "salt"), ("lesson_engine_learnertext", "choices"),
        ("lesson_engine_session", "state"), ("lesson_engine_turn", "verdict"), ("lesson_engine_turn", "key"),
        ("lesson_engine_questionreport", "comment"), ("lesson_engine_verdictreview", "note"),
        ("lesson_engine_answerexample", "text"), ("lesson_engine_answerexample", "vector"),
        ("routing_question", "message"), ("routing_question", "salt"), ("memory_episode", "content"),
        ("memory_preference", "text"), ("planning_plan", "task"), ("evaluation_evaluation", "execution_result"),
        ("gateway_calltext", "prompt"), ("gateway_calltext", "reply"), ("core_idempotentrequest", "body"),
    }  # fmt: skip
    known = {
        (model._meta.db_table, field.column) for model in apps.get_models() for field in model._meta.concrete_fields
    }
    assert secret <= known
    assert not secret & readable


def test_the_reader_reads_and_writes_nothing(make_lesson: LessonMaker) -> None:
    with as_role(READER):
        assert rows("SELECT count(*), sum(spent) FROM gateway_entry")
        for statement in ("SELECT password FROM accounts_user", "INSERT INTO gateway_breaker (model) VALUES ('x')"):
            with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
                rows(statement)


def test_what_was_granted_by_hand_is_taken_back_by_the_next_migrate() -> None:
    assert rights_are_granted()
    with as_role(OWNER):
        for change in (
            "GRANT DELETE ON telemetry_event TO andamio_app",
            "GRANT SELECT ON accounts_user TO PUBLIC",
            "REVOKE INSERT ON gateway_entry FROM andamio_app",
        ):
            executing(change)()
        assert not rights_are_granted()
        assert rights_apply() == 3
    assert rights_are_granted()
    assert not may(APPLICATION, "telemetry_event", "DELETE")
    assert may(APPLICATION, "gateway_entry", "INSERT")


# The form that each new trigger gives the function, in short.
IGNORABLE = """
CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean
LANGUAGE plpgsql AS 'BEGIN RETURN true; END'
"""


def test_triggers_that_could_be_switched_off_are_a_reason_to_migrate() -> None:
    with as_role(OWNER):
        executing(IGNORABLE)()
        assert not rights_are_granted()
        call_command("migrate", verbosity=0)
    assert rights_are_granted()


def test_triggers_cannot_be_switched_off_after_a_migrate_that_failed() -> None:
    def failing(**_: object) -> None:
        executing(IGNORABLE)()
        raise RuntimeError("what comes behind a migration that adds a trigger")

    post_migrate.connect(failing)
    try:
        with as_role(OWNER), pytest.raises(RuntimeError):
            call_command("migrate", verbosity=0)
    finally:
        post_migrate.disconnect(failing)
    assert rights_are_granted()


@each("option", ["--check", "--plan"])
def test_looking_at_what_would_be_migrated_changes_no_right(option: str) -> None:
    with as_role(OWNER):
        executing("GRANT DELETE ON telemetry_event TO andamio_app")()
        call_command("migrate", option, verbosity=0)
    assert may(APPLICATION, "telemetry_event", "DELETE")
    with as_role(OWNER):
        call_command("migrate", "telemetry", "--prune", verbosity=0)
    assert may(APPLICATION, "telemetry_event", "DELETE")


def test_rights_are_granted_on_what_is_there_after_going_back_to_an_earlier_migration() -> None:
    with as_role(OWNER):
        executing("ALTER TABLE lesson_engine_turn DROP COLUMN kind CASCADE")()
        executing("GRANT DELETE ON lesson_engine_turn TO andamio_reader")()
        executing("ALTER TABLE lesson_engine_verdictreview DROP COLUMN current CASCADE")()
        assert rights_apply() == 1
    assert rights_are_granted()


def checked(role: str) -> list[CheckMessage]:
    with as_role(role):
        return rights_check()


def test_a_deployment_whose_role_owns_its_tables_is_warned() -> None:
    assert checked(APPLICATION) == []
    assert [message.id for message in checked(OWNER)] == ["core.W001"]
    assert [message.id for message in checked("NONE")] == ["core.W001"]


@pytest.mark.django_db(transaction=True)
def test_the_broker_in_the_database_works_for_a_role_that_makes_no_table() -> None:
    url = broker_url(django_database(this_database()))
    with Connection(url) as broker:  # type: ignore[no-untyped-call]
        broker.SimpleQueue("celery").put({"task": "heartbeat"})
        message = broker.SimpleQueue("celery").get(timeout=30)
        assert message.payload == {"task": "heartbeat"}
        message.ack()
    assert rows("SELECT count(*) FROM kombu_queue") == [(1,)], "its row came by migrate, so that none race to make it"
    assert rows("SELECT visible FROM kombu_message") == [(False,)]
    assert broker_purge() == 0, "it is kept for an hour"
    rows("UPDATE kombu_message SET timestamp = timestamp - interval '2 hours' RETURNING id")
    assert broker_purge() == 1


OF_AN_EARLIER_VERSION = """
CREATE TABLE entry (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, n serial, words text UNIQUE);
CREATE SEQUENCE message_id_sequence;
CREATE VIEW shown AS SELECT id FROM entry;
CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER kept BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION kept();
INSERT INTO entry (words) VALUES ('stay');
"""
OWNERS = """
SELECT DISTINCT pg_get_userbyid(owner), starts FROM (
    SELECT relowner, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S', 'v')
    UNION ALL SELECT proowner, 'function' FROM pg_proc WHERE proname = 'kept'
    UNION ALL SELECT datdba, 'database' FROM pg_database WHERE datname = current_database()
) AS thing (owner, starts)
"""


def test_a_database_in_which_everything_is_the_superusers_is_taken_over_with_its_rows() -> None:
    name = "earlier_version"
    maintenance, url = (with_role(this_database(), superuser(), dbname=one) for one in ("postgres", name))
    with administration() as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        server.execute(f"CREATE DATABASE {name}".encode())
        try:
            with psycopg.connect(url) as old:
                old.execute(OF_AN_EARLIER_VERSION.encode())
            assert not database_roles.is_prepared(with_role(url, APPLICATION))
            for _ in range(2):  # a second start finds all done
                database_roles.database_prepare(maintenance, url, name)
            assert database_roles.is_prepared(with_role(url, APPLICATION))
            with psycopg.connect(url) as taken:
                owners = taken.execute(OWNERS).fetchall()
                assert {owner for owner, _ in owners} == {OWNER}
                things = {
                    "entry",
                    "entry_id_seq",
                    "entry_n_seq",
                    "message_id_sequence",
                    "shown",
                    "function",
                    "database",
                }
                assert {thing for _, thing in owners} == things
                assert taken.execute("SELECT words FROM entry").fetchall() == [("stay",)]
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())
