"""Going through many rows by cursor."""

from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from core.models import Heartbeat
from tests.api import probe
from tests.api.sessions import Program
from tests.api.test_problems import problem_of

PAGES = "/api/v1/probe/pages/"
START = datetime(2026, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture
def program(learner: User, probes: probe.Runs) -> Program:
    """A program, and 23 rows of which always five have the same time."""
    Heartbeat.objects.bulk_create(
        Heartbeat(name=f"beat-{number:02}", at=START + timedelta(hours=number // 5)) for number in range(23)
    )
    return Program(learner)


def all_pages(program: Program, address: str) -> list[list[str]]:
    pages = []
    while address:
        page = program.get(address).json
        assert set(page) == {"items", "next"}
        pages.append([item["name"] for item in page["items"]])
        address = page["next"]
        assert len(pages) < 50
    return pages


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 22, 23, 24, 200])
def test_each_row_comes_once_in_its_order(program: Program, limit: int) -> None:
    pages = all_pages(program, f"{PAGES}?limit={limit}")
    names = [name for page in pages for name in page]
    times = [Heartbeat.objects.get(name=name).at for name in names]
    assert sorted(names) == [f"beat-{number:02}" for number in range(23)]
    assert times == sorted(times, reverse=True)
    assert {len(page) for page in pages[:-1]} <= {limit}
    assert len(pages) == -(-23 // limit)


def test_rows_that_join_meanwhile_do_not_move_the_others(program: Program) -> None:
    first = program.get(f"{PAGES}?limit=10").json
    Heartbeat.objects.create(name="newer", at=START + timedelta(days=1))
    second = program.get(first["next"]).json
    names = [item["name"] for item in (*first["items"], *second["items"])]
    assert len(set(names)) == 20
    assert "newer" not in names


def test_a_page_is_one_query(program: Program, django_assert_num_queries: Any) -> None:
    address = program.get(f"{PAGES}?limit=5").json["next"]
    with django_assert_num_queries(3):  # the token with its user, how often they asked this minute, and the page
        program.get(address)


def test_usually_fifty_come(program: Program) -> None:
    Heartbeat.objects.bulk_create(Heartbeat(name=f"more-{number}", at=START) for number in range(60))
    assert len(program.get(PAGES).json["items"]) == 50


@pytest.mark.parametrize("limit", ["0", "201", "-1", "+5", "1.0", "1e1", " 5", "5 ", "1_0", "٥", "", "x", "9" * 400])
def test_a_limit_out_of_bounds_is_refused(program: Program, limit: str) -> None:
    response = program.client.get(PAGES, {"limit": limit})
    errors = problem_of(response, 422, "invalid-request")["errors"]
    assert [place["pointer"] for place in errors] == ["/limit"]


def encoded(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "====",
        "ä",
        "🔑",
        encoded("p=2026-13-45"),
        encoded("p=yesterday"),
        encoded("p=1"),
        encoded("p=2026-01-01T00:00:00+99:99"),
        encoded("p='; DROP TABLE core_heartbeat; --"),
        encoded("p=2026-01-01T00:00:00Z&r=1"),
        encoded("o=-1"),
        encoded("o=x"),
        encoded("p=%00"),
        "A" * 499,
    ],
)
def test_a_cursor_that_was_not_given_out_is_refused(program: Program, cursor: str) -> None:
    problem_of(program.client.get(PAGES, {"cursor": cursor}), 404, "cursor-unknown")


def test_a_cursor_that_cannot_be_one_is_pointed_at(program: Program) -> None:
    for cursor in ("", "A" * 501, "\x00"):
        errors = problem_of(program.client.get(PAGES, {"cursor": cursor}), 422, "invalid-request")["errors"]
        assert [place["pointer"] for place in errors] == ["/cursor"]


def test_a_cursor_far_away_gives_an_empty_page(program: Program) -> None:
    for text in ("p=0001-01-01T00:00:00%2B00:00", "o=900"):
        page = program.get(f"{PAGES}?cursor={encoded(text).replace('=', '%3D')}").json
        assert (page["items"], page["next"]) == ([], None)
