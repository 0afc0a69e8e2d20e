"""Telemetry for programs: pages, following what comes, exports, and what is not in it."""

import json
from base64 import b64decode
from datetime import timedelta
from hashlib import md5
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts.models import Scope, User
from accounts.selectors import users_seen_by
from accounts.services import learner_of
from lesson_engine.models import LessonVersion, Session
from telemetry.contracts import EXPORTS_CHAIN
from telemetry.models import Event
from telemetry.selectors import events_settled, records_in_blocks
from telemetry.services import events_append, horizon_advance
from tests.api.conftest import EVERYTHING
from tests.api.many_events import NOON, fill
from tests.api.sessions import LEARNING, Program, integrator_create
from tests.api.test_problems import problem_of
from tests.conftest import LessonMaker, lesson_make
from tests.telemetry.conftest import drafts_of
from tests.telemetry.writers import Writer

EVENTS, LINES = "/api/v1/telemetry/events/", "/api/v1/telemetry/events.jsonl"
ASKING = (Scope.PLANS_WRITE, Scope.QUERY_PLANS_WRITE)
pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(staff: User) -> Program:
    """A program of staff, who read everything."""
    return Program(staff, scopes=EVERYTHING)


def write(chain: str = "s-1", count: int = 1, **changes: Any) -> None:
    values = {"course": "light", "mode": "adaptive", "drafts": drafts_of(count), "now": NOON, **changes}
    with transaction.atomic():
        events_append(chain=chain, **values)


def places(page: dict[str, Any]) -> list[tuple[str, int]]:
    return [(item["sessionId"], item["seq"]) for item in page["items"]]


def lines_of(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def test_events_come_as_documented_with_their_place(reader: Program) -> None:
    write(count=2, now=NOON + timedelta(milliseconds=250))
    page = reader.get(EVENTS).json
    assert page["items"][0] == {
        "timestamp": "2026-01-01T12:00:00.250Z",
        "level": "info",
        "event": "evaluation.result",
        "sessionId": "s-1",
        "data": {"askCode": "ASK_0", "score": 0},
        "seq": 1,
        "course": "light",
        "mode": "adaptive",
    }
    assert page["next"] is None


def test_pages_give_each_event_once_in_order(reader: Program) -> None:
    for chain in ("s-1", "s-2", "s-1"):
        write(chain, 5)
    found, address = [], f"{EVENTS}?limit=4"
    while address:
        page = reader.get(address).json
        found += places(page)
        assert page["follow"] == (page["next"] or page["follow"])
        address = page["next"]
    assert found == list(Event.objects.order_by("id").values_list("chain_id", "seq"))
    assert len(found) == 15


def test_whoever_follows_gets_what_comes_later_and_nothing_twice(reader: Program) -> None:
    address, found = EVENTS, []
    for number in range(4):
        page = reader.get(address).json
        found += places(page)
        address = page["follow"]
        write(f"s-{number}", 2)
    found += places(reader.get(address).json)
    assert found == [(f"s-{number}", seq) for number in range(4) for seq in (1, 2)]


def test_whoever_follows_a_filter_does_not_look_again_at_what_did_not_fit(reader: Program) -> None:
    write("s-1", 3)
    write("s-2", 3, course="water")
    first = reader.get(f"{EVENTS}?course=light").json
    assert len(first["items"]) == 3
    write("s-3", 1)
    assert places(reader.get(first["follow"]).json) == [("s-3", 1)]
    assert "course=light" in first["follow"]
    assert str(Event.objects.filter(course="water").order_by("-id")[0].pk) in _position(first["follow"])


def _position(address: str) -> str:
    return b64decode(parse_qs(urlsplit(address).query)["cursor"][0]).decode()


@pytest.mark.django_db(transaction=True)
def test_an_event_that_is_committed_late_is_not_missed(reader: Program) -> None:
    write("early")
    first = reader.get(EVENTS).json
    assert places(first) == [("early", 1)]
    with Writer("slow") as slow, Writer("quick") as quick:
        slow.begin().append()
        quick.begin().append()
        quick.commit()
        second = reader.get(first["follow"]).json
        assert places(second) == []  # the quick one is there, but the slow one has the smaller id
        slow.commit()
    third = reader.get(second["follow"]).json
    assert places(third) == [("slow", 1), ("quick", 1)]
    assert places(reader.get(third["follow"]).json) == []


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"session": "s-1"}, [("s-1", 1), ("s-1", 2)]),
        ({"session": "nobody"}, []),
        ({"course": "water"}, [("s-2", 1)]),
        ({"mode": "deterministic"}, [("s-2", 1)]),
        ({"event": "session.started"}, [("s-3", 1)]),
        ({"since": "2026-01-01T12:00:01Z"}, [("s-2", 1), ("s-3", 1)]),
        ({"until": "2026-01-01T12:00:01Z"}, [("s-1", 1), ("s-1", 2)]),
        ({"since": "2026-01-01T13:00:01+01:00", "until": "2026-01-01T12:00:01.001Z"}, [("s-2", 1)]),
        ({"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, []),
        ({"session": "s-2", "course": "light"}, []),
        ({"since": "2026-01-02T11:59:01+23:59", "session": "s-2"}, [("s-2", 1)]),
        ({"since": "0001-01-01T00:00:00+14:00", "until": "9999-12-31T23:59:59-14:00", "session": "s-3"}, [("s-3", 1)]),
    ],
)
def test_filters_hold_together_on_pages_and_in_exports(
    reader: Program, filters: dict[str, str], expected: list[tuple[str, int]]
) -> None:
    write("s-1", 2)
    write("s-2", 1, course="water", mode="deterministic", now=NOON + timedelta(seconds=1))
    started = [draft.model_copy(update={"event": "session.started"}) for draft in drafts_of(1)]
    write("s-3", 1, drafts=started, now=NOON + timedelta(seconds=2))
    assert places(json.loads(reader.client.get(EVENTS, filters).content)) == expected
    exported = lines_of(reader.client.get(LINES, filters))
    assert [line["sessionId"] for line in exported] == [chain for chain, _ in expected]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("since", "yesterday"),
        ("since", "1700000000"),
        ("since", "2026-01-01"),
        ("since", "2026-01-01T12:00:00"),
        ("until", "2026-13-01T12:00:00Z"),
        ("until", ""),
        ("session", ""),
        ("session", "s" * 65),
        ("session", "a b"),
        ("session", "'; DROP TABLE telemetry_event; --"),
        ("course", "a\x00"),
        ("mode", "Adaptive"),
        ("event", "evaluation"),
        ("event", "evaluation.result\n"),
        ("learner", "ana"),
    ],
)
def test_filters_that_cannot_be_are_pointed_at(reader: Program, name: str, value: str) -> None:
    for address in (EVENTS, LINES):
        errors = problem_of(reader.client.get(address, {name: value}), 422, "invalid-request")["errors"]
        assert [place["pointer"] for place in errors] == [f"/{name}"]
    assert not Event.objects.filter(chain_id=EXPORTS_CHAIN).exists()


def test_only_a_token_for_telemetry_reads_it(integrator: User, learner: User) -> None:
    for address in (EVENTS, LINES):
        assert Client().get(address).status_code == 401
        problem_of(Program(integrator, scopes=LEARNING).client.get(address), 403, "scope-missing")
        problem_of(Program(learner).client.get(address), 403, "scope-missing")
    assert not Event.objects.exists()


def test_an_export_has_the_documented_lines_and_no_more(reader: Program) -> None:
    write(count=3)
    response = reader.client.get(LINES)
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Content-Disposition"] == 'attachment; filename="events.jsonl"'
    found = lines_of(response)
    assert [list(line) for line in found] == [["timestamp", "level", "event", "sessionId", "data"]] * 3
    pages = reader.get(f"{EVENTS}?session=s-1").json["items"]
    assert found == [{key: item[key] for key in found[0]} for item in pages]


def test_each_export_is_on_record_and_not_in_itself(reader: Program, staff: User) -> None:
    write(count=3)
    for exports in range(3):
        lines = lines_of(reader.client.get(LINES, {"since": "2026-01-01T00:00:00Z"}))
        assert len(lines) == 3 + exports
    recorded = Event.objects.filter(chain_id=EXPORTS_CHAIN).order_by("seq")
    assert [event.event for event in recorded] == ["telemetry.exported"] * 3
    upto = Event.objects.filter(chain_id="s-1").order_by("-id")[0].pk
    assert recorded[0].data == {
        "by": staff.pk,
        "form": "jsonl",
        "filters": {"since": "2026-01-01T00:00:00Z", "upto": upto},
    }


def test_an_export_is_only_got_never_asked_about(reader: Program) -> None:
    for method in ("head", "post", "options"):
        assert getattr(reader.client, method)(LINES).status_code == 405
    assert not Event.objects.filter(chain_id=EXPORTS_CHAIN).exists()


def test_an_export_takes_its_own_form(reader: Program) -> None:
    for accept in ("*/*", "application/x-ndjson", "application/*"):
        assert reader.client.get(LINES, headers={"Accept": accept}).status_code == 200
    problem_of(reader.client.get(LINES, headers={"Accept": "application/json"}), 406, "not-acceptable")


def test_an_export_of_several_blocks_is_whole(reader: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    write(count=50)
    upto = horizon_advance()
    blocks = records_in_blocks(events_settled(upto=upto))
    assert [record.seq for block in blocks for record in block] == list(range(1, 51))
    monkeypatch.setattr("telemetry.selectors.BLOCK_ROWS", 7)
    blocks = records_in_blocks(events_settled(upto=upto))
    assert [block[0].seq for block in blocks] == [1, 8, 15, 22, 29, 36, 43, 50]


def test_a_page_takes_as_many_statements_with_many_events_as_with_few(
    reader: Program, django_assert_max_num_queries: Any
) -> None:
    write(count=3)
    reader.get(EVENTS)
    write("s-2", 200)
    # the token with its user; how often they asked this minute; up to four to move the horizon; the page
    with django_assert_max_num_queries(7):
        assert len(reader.get(f"{EVENTS}?limit=200").json["items"]) == 200
    with django_assert_max_num_queries(4):  # nothing was written since, so the horizon is read only
        reader.get(f"{EVENTS}?limit=200")


def test_nobodys_words_or_names_are_in_telemetry(reader: Program, learner: User, make_lesson: LessonMaker) -> None:
    make_lesson()
    walk = Program(learner).start("light")
    walk.go_to_question()
    walk.act("answers", text="My name is Ana Benavides and plants eat xylophones")
    walk.act("report", kind="my_answer_right", comment="Ana says: zanahoria")
    assert Session.objects.count() == 1
    text = json.dumps(reader.get(f"{EVENTS}?limit=200").json) + json.dumps(lines_of(reader.client.get(LINES)))
    assert "evaluation.result" in text
    assert "question.reported" in text
    for word in ("Benavides", "xylophone", "zanahoria", "Ana", f'"{learner.username}"'):
        assert word not in text


def test_an_integrator_reads_the_events_of_their_own_learners_alone(
    integrator: User, reader: Program, make_lesson: LessonMaker
) -> None:
    make_lesson()
    mine, other = (Program(user, scopes=(*EVERYTHING, *ASKING)) for user in (integrator, integrator_create("other")))
    for program, pupil in ((mine, "pupil"), (other, "pupil"), (mine, None)):
        whom = {} if pupil is None else {"learner": pupil}
        program.start("light", **whom)
        program.post("plans/", {"task": "Book hotel in Paris", **whom})
        program.post("query-plans/", {"message": "What is photosynthesis?", **whom})
    write("lesson:light")
    owned = [
        set(events_settled(upto=horizon_advance(), about=users_seen_by(user)).values_list("chain_id", flat=True))
        for user in (integrator, User.objects.get(username="other"))
    ]
    assert [len(chains) for chains in owned] == [8, 4]  # a session, its plan, a plan and a question of each
    assert not owned[0] & owned[1]
    for program, chains in zip((mine, other), owned, strict=True):
        page = program.get(f"{EVENTS}?limit=3").json
        found = places(page)
        while page["next"]:
            page = program.get(page["next"]).json
            found += places(page)
        assert found == [*Event.objects.filter(chain__in=chains).order_by("id").values_list("chain_id", "seq")]
        assert {line["sessionId"] for line in lines_of(program.client.get(LINES))} == chains
        assert places(program.get(page["follow"]).json) == []
    strange = min(owned[1])
    assert places(mine.get(f"{EVENTS}?session={strange}").json) == []
    assert lines_of(mine.client.get(LINES, {"session": strange})) == []
    assert len(places(reader.get(f"{EVENTS}?session={strange}").json)) > 0
    mine.post("learners/erase/", {"learner": "pupil"})
    assert not set(places(mine.get(f"{EVENTS}?limit=200").json)) & set(
        Event.objects.filter(event="learner.erased").values_list("chain_id", "seq")
    )


@pytest.mark.hard
@pytest.mark.parametrize("sessions", [1, 10, 1000])
def test_a_page_of_an_integrator_is_found_by_indexes(integrator: User, learner: User, sessions: int) -> None:
    lesson_make()
    pupil = learner_of(integrator=integrator, pseudonym="pupil")
    fill(chains=1000, events=100, key="md5({n}::text)::uuid::text")
    version = LessonVersion.objects.get()
    values: dict[str, Any] = {"lesson": version.lesson, "lesson_version": version, "state": {}, "status": "finished"}
    times: dict[str, Any] = dict.fromkeys(("started_at", "active_at", "finished_at"), NOON)
    Session.objects.bulk_create(
        Session(id=UUID(md5(str(n).encode()).hexdigest()), user=pupil if n <= sessions else learner, **values, **times)
        for n in range(1, 1001)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE lesson_engine_session, accounts_user")
    events = events_settled(upto=horizon_advance(), about=users_seen_by(integrator))
    assert events.count() == 100 * sessions
    for after in (0, events.order_by("id")[50 * sessions].pk):
        plan = str(events.filter(id__gt=after).order_by("id")[:51].explain(analyze=True))
        assert "Seq Scan on telemetry_event" not in plan, plan


@pytest.mark.hard
def test_filters_use_their_indexes(reader: Program) -> None:
    fill(chains=2000, events=100)
    upto = horizon_advance()
    by_session = _plan(events_settled(upto=upto, chain="c-1000"))
    by_time = _plan(events_settled(upto=upto, since=NOON + timedelta(seconds=199_900)))
    assert "event_once_per_place" in by_session
    assert 'Index Cond: ("timestamp"' in by_time
    assert "Seq Scan" not in by_session + by_time + _plan(events_settled(upto=upto).filter(id__gt=100_000))


def _plan(rows: Any) -> str:
    return str(rows.order_by("id")[:51].explain())
