"""Uploading, publishing and retiring: what learners get, what is recorded, and two at once."""

import itertools
from importlib import import_module

import pytest
from django.db import connection

from accounts.models import User
from lesson_engine.errors import LessonRefused, LessonRetired
from lesson_engine.models import Lesson, LessonVersion, Publication, Session
from lesson_engine.selectors import lesson_cards
from lesson_engine.services.lessons import lesson_import, lesson_publish, lesson_retire, lesson_upload
from lesson_engine.services.sessions import session_start
from telemetry.chains.verification import chains_verify
from telemetry.selectors import events_of
from tests.conftest import LessonMaker, ask, lesson_data
from tests.hands import assert_never
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.authoring.conftest import MakeDraft, source_of
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


def told(slug: str = "light") -> list[tuple[str, int, int | None]]:
    """The lesson's events: name, version number, by whom."""
    events = events_of(Lesson(slug=slug).chain)
    return [(event.event, event.data["version"], event.data["by"]) for event in events]


def published(slug: str = "light") -> list[int | None]:
    """The numbers of the versions in the order they were published; None where the lesson was retired."""
    rows = Publication.objects.filter(lesson__slug=slug).order_by("pk")
    return [row.version.number if row.version else None for row in rows]


def current() -> int | None:
    version = Lesson.objects.get().current
    return version.number if version else None


def test_an_upload_is_a_draft_that_nobody_gets(author: User) -> None:
    done = lesson_upload(source=source_of(), by=author)
    assert (done.created, done.published) == (True, False)
    assert done.version.uploaded_by == author
    assert current() is None
    assert lesson_cards({}) == []
    assert published() == []
    assert told() == [("lesson.uploaded", 1, author.pk)]
    assert events_of(Lesson(slug="light").chain)[0].data["sha256"] == done.version.sha256


def test_the_same_bytes_again_change_nothing(author: User, stranger: User) -> None:
    first = lesson_upload(source=source_of(), by=author)
    again = lesson_upload(source=source_of(), by=stranger)
    assert (again.created, again.version) == (False, first.version)
    assert LessonVersion.objects.get().uploaded_by == author
    assert len(told()) == 1


def test_a_refused_file_leaves_nothing(author: User) -> None:
    with pytest.raises(LessonRefused):
        lesson_upload(source=source_of(ask(question="")), by=author)
    assert not Lesson.objects.exists()
    assert told() == []


def test_publishing_gives_a_draft_to_new_sessions_and_is_recorded(make_draft: MakeDraft, author: User) -> None:
    draft = make_draft()
    row = lesson_publish(version=draft, by=author)
    assert row is not None
    assert (row.version, row.by, row.lesson) == (draft, author, draft.lesson)
    assert current() == 1
    assert [card.version for card in lesson_cards({})] == [draft]
    assert told() == [("lesson.uploaded", 1, author.pk), ("lesson.published", 1, author.pk)]


def test_publishing_what_is_current_does_nothing(make_draft: MakeDraft, author: User, stranger: User) -> None:
    draft = make_draft()
    lesson_publish(version=draft, by=author)
    assert lesson_publish(version=draft, by=stranger) is None
    assert published() == [1]
    assert len(told()) == 2


def test_a_former_version_can_be_published_again(make_draft: MakeDraft) -> None:
    first, second = make_draft(), make_draft(ask())
    for version in (first, second, first):
        lesson_publish(version=version)
    assert current() == 1
    assert published() == [1, 2, 1]


def test_a_session_under_way_stays_on_its_version(make_draft: MakeDraft, learner: User) -> None:
    old, new = make_draft(), make_draft(ask("NEW"))
    lesson_publish(version=old)
    walk = Walk(learner, old).go_on()
    lesson_publish(version=new)
    assert session_start(user=learner, lesson=new.lesson) == walk.session
    walk.answer("sugar")
    assert walk.session.lesson_version == old


def test_retiring_ends_new_sessions_and_no_old_one(make_draft: MakeDraft, learner: User, stranger: User) -> None:
    version = make_draft()
    lesson_publish(version=version)
    walk = Walk(learner, version)
    lesson = Lesson.objects.get()
    row = lesson_retire(lesson=lesson)
    assert row is not None
    assert row.version is None
    assert lesson_cards({}) == []
    walk.go_on().answer("sugar")
    assert session_start(user=learner, lesson=Lesson.objects.get()) == walk.session
    for stale in (Lesson.objects.get(), version.lesson):
        with pytest.raises(LessonRetired):
            session_start(user=stranger, lesson=stale)
    assert Session.objects.count() == 1
    assert told()[-1] == ("lesson.retired", 1, None)


def test_retiring_twice_does_nothing_and_a_retired_lesson_comes_back(make_draft: MakeDraft, stranger: User) -> None:
    version = make_draft()
    assert lesson_retire(lesson=version.lesson) is None
    lesson_publish(version=version)
    lesson_retire(lesson=version.lesson)
    assert lesson_retire(lesson=version.lesson) is None
    lesson_publish(version=version)
    assert published() == [1, None, 1]
    assert session_start(user=stranger, lesson=Lesson.objects.get()).lesson_version == version


def test_an_import_uploads_and_publishes(author: User) -> None:
    done = lesson_import(source=source_of(), by=author)
    assert (done.created, done.published) == (True, True)
    assert [name for name, _, _ in told()] == ["lesson.uploaded", "lesson.published"]
    assert Publication.objects.get().by == author
    assert lesson_import(source=source_of()).created is False
    assert len(told()) == 2


@pytest.mark.parametrize("by_a_person", [True, False])
@pytest.mark.parametrize("retired", [True, False])
def test_a_bundled_file_gives_way_to_what_a_person_decided(
    author: User, make_lesson: LessonMaker, by_a_person: bool, retired: bool
) -> None:
    by = author if by_a_person else None
    lesson = lesson_import(source=source_of(), by=by).version.lesson
    if retired:
        lesson_retire(lesson=lesson, by=by)
    done = lesson_import(source=source_of(ask("BUNDLED")), give_way=True)
    assert done.created
    assert done.published is not by_a_person
    assert current() == (2 if not by_a_person else None if retired else 1)


def test_the_record_of_publications_cannot_be_changed(make_lesson: LessonMaker) -> None:
    make_lesson()
    for change in (lambda: Publication.objects.update(by=None), lambda: Publication.objects.all().delete()):
        assert_never(change)
    assert published() == [1]


def test_chains_of_lessons_fit_their_column_and_stay_apart() -> None:
    slugs = ["a" * 80, "a" * 79 + "b", "short", "b" * 57, "b" * 58]
    chains = [Lesson(slug=slug).chain for slug in slugs]
    assert len(set(chains)) == len(slugs)
    assert all(len(chain) <= 64 and chain.startswith("lesson:") for chain in chains)
    assert chains[2] == "lesson:short"


def test_lessons_from_before_publications_were_kept_get_their_first_one(
    make_draft: MakeDraft, make_lesson: LessonMaker
) -> None:
    old = make_draft()
    Lesson.objects.filter(pk=old.lesson_id).update(current=old)  # as imports did before
    known = make_lesson(meta={**lesson_data()["meta"], "slug": "known"})
    make_draft(meta={**lesson_data()["meta"], "slug": "draft"})
    migration = import_module("lesson_engine.migrations.0004_first_publications")
    for _ in range(2):
        with connection.cursor() as cursor:
            cursor.execute(migration.FILL)
    assert {row.version: row.at for row in Publication.objects.exclude(version=known)} == {old: old.imported_at}
    assert Publication.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_publishing_at_once_leaves_one_current_and_a_whole_trail() -> None:
    versions = [lesson_upload(source=source_of(ask(question=f"Question {n}?"))).version for n in range(4)]
    works = [lambda version=version: lesson_publish(version=version) for version in versions * 2]
    rows = [row for row in at_once(works) if row is not None]
    trail = published()
    assert len(rows) == len(trail)
    assert all(one != next_ for one, next_ in itertools.pairwise(trail))
    assert current() == trail[-1]
    assert [number for name, number, _ in told() if name == "lesson.published"] == trail
    assert [check.fault for check in chains_verify([Lesson(slug="light").chain])] == [None]


@pytest.mark.django_db(transaction=True)
def test_a_lesson_that_is_retired_while_sessions_begin_has_none_that_began_later() -> None:
    lesson = lesson_import(source=source_of()).version.lesson
    users = [User.objects.create_user(f"learner-{n}") for n in range(6)]

    def start(user: User) -> bool:
        try:
            session_start(user=user, lesson=lesson)
        except LessonRetired:
            return False
        return True

    def retire() -> bool:
        return lesson_retire(lesson=lesson) is not None

    outcomes = at_once([retire, *(lambda user=user: start(user) for user in users)])
    assert Session.objects.count() == sum(outcomes[1:])
    assert outcomes[0]
    with pytest.raises(LessonRetired):
        session_start(user=User.objects.create_user("late"), lesson=lesson)
