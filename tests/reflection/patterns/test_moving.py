"""What keeps happening to somebody goes and moves with them, and is written by one at a time."""

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_absorb, guest_create, learner_erase
from reflection.contracts import PatternFound
from reflection.models import CachedWork, Pattern
from reflection.patterns import patterns_found
from reflection.services.patterns import patterns_revalidate, patterns_store
from reflection.writing.caching import cached_put
from telemetry.models import Event
from tests.lesson_engine.services.threads import at_once
from tests.reflection.past_made import QUALITY, failure, times
from tests.reflection.patterns_made import DOMAIN, NOON, figures, found, moves, other, remember


def test_nothing_is_left_of_an_erased_learner(learner: User, stranger: User) -> None:
    for user in (learner, stranger):
        remember(user, 3, QUALITY)
        patterns_store(user_id=user.pk, found=found(), language="en", now=NOON)
        cached_put(CachedWork.Kind.PATTERNS, str(user.pk), f"key {user.pk}", ["quality"])
    assert learner_erase(user=learner)
    assert list(Pattern.objects.values_list("user", flat=True)) == [stranger.pk]
    assert list(CachedWork.objects.values_list("owner", flat=True)) == [str(stranger.pk)]
    assert patterns_store(user_id=learner.pk, found=found(), language="en") == []
    assert patterns_revalidate(user_id=learner.pk, domain=DOMAIN) == 0
    cached_put(CachedWork.Kind.PATTERNS, str(learner.pk), "late", ["quality"], user_id=learner.pk)
    assert CachedWork.objects.count() == 1


def test_a_guests_patterns_become_the_accounts_and_are_counted_over_both(learner: User) -> None:
    guest, now = guest_create(), timezone.now()
    for user in (guest, learner):
        remember(user, 3, QUALITY, at=now)
        patterns_store(user_id=user.pk, found=found(), language="en", now=now)
    remember(guest, 3, ("User confirms", False), domain="gift", at=now)
    own = patterns_found(failure(("User confirms", False), past=times(2, ("User confirms", False)), task_type="gift"))
    patterns_store(user_id=guest.pk, found=own, language="en", now=now)
    [mine] = Pattern.objects.filter(user=learner)
    guest_absorb(guest=guest, account=learner)
    assert figures(mine) == ("established", 6, 0, 6)
    assert set(Pattern.objects.values_list("user", "domain", "support")) == {
        (learner.pk, DOMAIN, 6),
        (learner.pk, "gift", 3),
    }
    assert moves(learner) == [("", "provisional"), ("provisional", "established")]


def test_a_guest_without_patterns_costs_one_query(learner: User, django_assert_max_num_queries: Any) -> None:
    guest = guest_create()
    with django_assert_max_num_queries(60) as asked:
        guest_absorb(guest=guest, account=learner)
    ours = [one["sql"] for one in asked.captured_queries if "reflection_pattern" in one["sql"]]
    assert len([sql for sql in ours if not sql.startswith("DELETE")]) <= 1


@pytest.mark.django_db(transaction=True)
def test_two_reflections_of_one_user_at_once_store_each_pattern_once(learner: User) -> None:
    remember(learner, 3, QUALITY)
    first, second = [other(1), other(2), *found()], [*found(), other(3), other(2)]

    def store(patterns: list[PatternFound]) -> None:
        for _ in range(4):
            patterns_store(user_id=learner.pk, found=patterns, language="en", now=NOON)

    at_once(
        [
            lambda: store(first),
            lambda: store(second),
            lambda: patterns_revalidate(user_id=learner.pk, domain=DOMAIN, now=NOON) and None,
        ]
    )
    assert Pattern.objects.count() == 4
    assert Event.objects.filter(event="pattern.changed", data__from="").count() == 4


@pytest.mark.django_db(transaction=True)
def test_patterns_that_come_while_their_user_is_erased_are_not_kept(learner: User) -> None:
    def store() -> None:
        for number in range(5):
            patterns_store(user_id=learner.pk, found=[other(number)], language="en", now=NOON)

    at_once([store, store, lambda: learner_erase(user=learner) and None])
    assert not Pattern.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_patterns_that_come_while_a_guest_signs_in_are_the_accounts_or_nobodys(learner: User) -> None:
    guest = guest_create()
    remember(guest, 3, QUALITY)

    def store(user: User) -> None:
        for number in range(5):
            patterns_store(user_id=user.pk, found=[other(number)], language="en", now=NOON)

    at_once([lambda: store(guest), lambda: store(learner), lambda: guest_absorb(guest=guest, account=learner)])
    assert set(Pattern.objects.values_list("user", flat=True)) == {learner.pk}
    assert Pattern.objects.count() == 5
