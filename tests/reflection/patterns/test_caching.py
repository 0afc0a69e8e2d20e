"""What is kept for a while, and no longer, and no more than there may be. Source: RT-009, "Caches", "Storage"."""

from datetime import UTC, datetime, timedelta

import pytest

from reflection.models import CachedWork
from reflection.writing.caching import cached_forget, cached_get, cached_purge, cached_put
from tests.lesson_engine.services.threads import at_once

PATTERNS, REFLECTION = CachedWork.Kind.PATTERNS, CachedWork.Kind.REFLECTION
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def fill(kind: CachedWork.Kind, count: int, owner: str = "7", age: timedelta = timedelta()) -> None:
    """So many entries, a second apart, the last the youngest."""
    CachedWork.objects.bulk_create(
        CachedWork(
            kind=kind,
            owner=owner,
            key=f"{owner}:{number}",
            value=number,
            created_at=NOON - age - timedelta(seconds=count - number),
            expires_at=NOON + timedelta(days=1),
        )
        for number in range(count)
    )


@pytest.mark.django_db
def test_what_is_put_is_there_under_its_kind_and_key_until_it_expires() -> None:
    for kind, kept in ((PATTERNS, timedelta(hours=24)), (REFLECTION, timedelta(hours=2))):
        cached_put(kind, "7", "k", {"said": ["é", 1, None]}, NOON)
        assert cached_get(kind, "k", NOON + kept - timedelta(seconds=1)) == {"said": ["é", 1, None]}
        assert cached_get(kind, "k", NOON + kept) is None
        assert cached_get(kind, "other", NOON) is None
    cached_put(PATTERNS, "7", "k", [2], NOON + timedelta(hours=3))
    assert (cached_get(PATTERNS, "k", NOON + timedelta(hours=26)), CachedWork.objects.count()) == ([2], 2)


@pytest.mark.django_db
def test_patterns_have_2_000_entries_and_the_oldest_go() -> None:
    fill(PATTERNS, 2_000)
    fill(REFLECTION, 3, owner="8")
    cached_put(PATTERNS, "9", "new", 1, NOON)
    assert CachedWork.objects.filter(kind=PATTERNS).count() == 2_000
    assert not CachedWork.objects.filter(key="7:0").exists()
    assert CachedWork.objects.filter(key="7:1").exists()
    assert CachedWork.objects.filter(kind=REFLECTION).count() == 3


@pytest.mark.django_db
def test_reflections_have_500_entries_in_all_and_100_of_an_owner() -> None:
    fill(REFLECTION, 100)
    cached_put(REFLECTION, "7", "new", 1, NOON)
    assert CachedWork.objects.filter(owner="7").count() == 100
    assert not CachedWork.objects.filter(key="7:0").exists()
    for owner in ("1", "2", "3", "4"):
        fill(REFLECTION, 100, owner=owner, age=timedelta(hours=int(owner)))
    cached_put(REFLECTION, "9", "newest", 1, NOON)
    assert CachedWork.objects.count() == 500
    assert not CachedWork.objects.filter(key="4:0").exists(), "the oldest of all"


@pytest.mark.django_db
def test_what_has_expired_goes_when_something_is_put_or_purged() -> None:
    cached_put(REFLECTION, "7", "old", 1, NOON)
    cached_put(REFLECTION, "7", "new", 1, NOON + timedelta(hours=3))
    assert list(CachedWork.objects.values_list("key", flat=True)) == ["new"]
    assert cached_purge(NOON + timedelta(hours=4)) == 0
    assert cached_purge(NOON + timedelta(hours=5)) == 1


@pytest.mark.django_db
def test_what_is_kept_of_somebody_is_forgotten() -> None:
    for owner in ("7", "8"):
        cached_put(PATTERNS, owner, owner, 1, NOON)
        cached_put(REFLECTION, owner, owner, 1, NOON)
    cached_forget(owner="7")
    assert set(CachedWork.objects.values_list("owner", flat=True)) == {"8"}


@pytest.mark.django_db(transaction=True)
def test_two_that_put_at_once_leave_no_more_than_there_may_be() -> None:
    fill(REFLECTION, 99)

    def put() -> None:
        for number in range(6):
            cached_put(REFLECTION, "7", f"k{number}", number, NOON)

    at_once([put, put, put, lambda: cached_purge(NOON) and None])
    assert CachedWork.objects.count() == 100
    assert CachedWork.objects.filter(key__startswith="k").count() == 6
