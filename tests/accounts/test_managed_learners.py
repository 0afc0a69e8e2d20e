"""Learners whom a program knows under names of its own."""

import pytest
from django.test import Client

from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Role, User
from accounts.selectors import users_seen_by
from accounts.services import learner_erase, learner_of, managed_learner_erase
from tests.lesson_engine.services.threads import at_once


@pytest.fixture
def integrator(db: None) -> User:
    return User.objects.create_user("ines", password="correct horse battery", role=Role.INTEGRATOR)


def test_a_name_means_the_same_learner_each_time(integrator: User, staff: User) -> None:
    first = learner_of(integrator=integrator, pseudonym="pupil-7")
    assert learner_of(integrator=integrator, pseudonym="pupil-7") == first
    assert learner_of(integrator=integrator, pseudonym="Pupil-7") != first
    assert learner_of(integrator=staff, pseudonym="pupil-7") != first
    assert (first.role, first.is_guest, first.managed_by, first.pseudonym) == (
        Role.LEARNER,
        False,
        integrator,
        "pupil-7",
    )
    assert "pupil" not in first.username


def test_nobody_signs_in_as_them(integrator: User) -> None:
    learner = learner_of(integrator=integrator, pseudonym="pupil-7")
    for password in ("", "!", learner.password, "pupil-7"):
        response = Client().post("/account/sign-in/", {"username": learner.username, "password": password})
        assert response.status_code == 200
    assert not learner.has_usable_password()


@pytest.mark.parametrize("name", ["", " ", "p" * 121, "two\nlines", " pupil", "pupil\x00", "\u202epupil"])
def test_a_name_that_cannot_be_is_refused(integrator: User, name: str) -> None:
    with pytest.raises(PseudonymRefused):
        learner_of(integrator=integrator, pseudonym=name)
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["p", "p" * 120, "Ñandú 7", "<b>", "'; --", "\U0001f331"])
def test_any_printable_name_will_do(integrator: User, name: str) -> None:
    assert learner_of(integrator=integrator, pseudonym=name).pseudonym == name


def test_learners_manage_nobody(learner: User, integrator: User) -> None:
    User.objects.filter(pk=integrator.pk).update(is_active=False)
    integrator.refresh_from_db()
    for user in (learner, integrator):
        with pytest.raises(LearnersNotManaged):
            learner_of(integrator=user, pseudonym="pupil-7")


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_the_same_learner(integrator: User) -> None:
    got = at_once([lambda: learner_of(integrator=integrator, pseudonym="pupil-7")] * 4)
    assert len({learner.pk for learner in got}) == 1
    assert User.objects.count() == 2


def test_one_sees_oneself_and_whom_one_manages(integrator: User, staff: User, learner: User) -> None:
    mine = {learner_of(integrator=integrator, pseudonym=f"pupil-{number}") for number in range(3)}
    learner_of(integrator=staff, pseudonym="pupil-0")
    assert set(users_seen_by(integrator)) == {integrator, *mine}
    assert set(users_seen_by(learner)) == {learner}


def test_an_erased_learners_name_is_free_for_another(integrator: User) -> None:
    first = learner_of(integrator=integrator, pseudonym="pupil-7")
    assert managed_learner_erase(integrator=integrator, pseudonym="pupil-7")
    assert not managed_learner_erase(integrator=integrator, pseudonym="pupil-7")
    first.refresh_from_db()
    assert first.pseudonym == first.username
    assert first.managed_by == integrator
    assert learner_of(integrator=integrator, pseudonym="pupil-7") != first
    with pytest.raises(PseudonymRefused, match="erased"):
        learner_of(integrator=integrator, pseudonym=first.pseudonym)


def test_nobody_erases_the_learners_of_others(integrator: User, staff: User) -> None:
    learner = learner_of(integrator=integrator, pseudonym="pupil-7")
    assert not managed_learner_erase(integrator=staff, pseudonym="pupil-7")
    learner.refresh_from_db()
    assert learner.erased_at is None


def test_an_integrator_is_erased_after_their_learners(integrator: User) -> None:
    learner_of(integrator=integrator, pseudonym="pupil-7")
    with pytest.raises(Exception, match="They manage 1 learners"):
        learner_erase(user=integrator)
    managed_learner_erase(integrator=integrator, pseudonym="pupil-7")
    assert learner_erase(user=integrator)
