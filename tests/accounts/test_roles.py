"""Who may be what, as the database holds it; and the accounts of the demonstration."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import Role, User
from accounts.services import demo_accounts_ensure, guest_create
from tests.lesson_engine.learn.pages import Page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("guest_is_learner", {"is_guest": True, "role": Role.STAFF}),
        ("guest_is_learner", {"is_guest": True, "role": Role.INTEGRATOR}),
        ("guest_is_learner", {"is_guest": True, "role": Role.STAFF, "is_staff": True}),
        ("admin_needs_staff_role", {"is_staff": True, "role": Role.LEARNER}),
        ("admin_needs_staff_role", {"is_staff": True, "role": Role.INTEGRATOR}),
    ],
)
def test_the_database_refuses_rights_that_contradict_the_role(constraint: str, fields: dict[str, object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        User.objects.create(username="x", **fields)


@pytest.mark.django_db
def test_each_role_can_be_had() -> None:
    for role in Role:
        User.objects.create(username=role, role=role, is_staff=role == Role.STAFF)
    assert guest_create().role == Role.LEARNER


@pytest.mark.django_db
def test_guests_are_all_different() -> None:
    assert len({guest_create().username for _ in range(20)}) == 20


def test_only_staff_enters_the_admin(learner: User, staff: User, client: Client) -> None:
    for user, status in ((learner, 302), (staff, 200)):
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        assert client.get("/admin/").status_code == status


@pytest.mark.django_db
def test_demo_accounts_get_a_password_shown_once() -> None:
    made = {account.username: account for account in demo_accounts_ensure()}
    assert {name: account.role for name, account in made.items()} == {"demo": Role.LEARNER, "staff": Role.STAFF}
    for name, account in made.items():
        user = User.objects.get(username=name)
        assert account.password
        assert user.check_password(account.password)
        assert user.is_staff == (name == "staff")
        assert not user.is_superuser
    assert [account.password for account in demo_accounts_ensure()] == [None, None]
    assert User.objects.count() == 2


@pytest.mark.django_db
def test_a_password_given_is_set_on_existing_demo_accounts_too() -> None:
    demo_accounts_ensure()
    assert {account.password for account in demo_accounts_ensure(password="of my choice")} == {"of my choice"}
    assert all(user.check_password("of my choice") for user in User.objects.all())


CHANGE = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00", "is_active": "on"}


def changed(client: Client, staff: User, user: User, **values: str) -> Page:
    """The page after a superuser saved the user with these values; redirected to the list when all was well."""
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    data = {"username": user.username, "role": user.role, **CHANGE, **values}
    response = client.post(f"/admin/accounts/user/{user.pk}/change/", data)
    assert response.status_code in (200, 302)
    user.refresh_from_db()
    return Page(response)


def test_a_superuser_makes_somebody_staff(client: Client, staff: User, learner: User) -> None:
    assert changed(client, staff, learner, role="staff", is_staff="on").status == 302
    assert (learner.role, learner.is_staff) == (Role.STAFF, True)


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"is_staff": "on"}, "has the role of staff"),
        ({"is_staff": "on", "role": "integrator"}, "has the role of staff"),
        ({"username": "BERTO"}, "already exists"),
    ],
)
def test_changes_that_the_database_would_refuse_are_refused_in_words(
    client: Client, staff: User, learner: User, stranger: User, values: dict[str, str], complaint: str
) -> None:
    page = changed(client, staff, learner, **values)
    assert complaint in page.tree.one("ul", class_="errorlist").text()
    assert (learner.username, learner.role, learner.is_staff) == ("ana", Role.LEARNER, False)


@pytest.mark.parametrize("values", [{"role": "staff"}, {"role": "staff", "is_staff": "on"}, {"is_staff": "on"}])
def test_a_guest_stays_a_learner(client: Client, staff: User, values: dict[str, str]) -> None:
    guest = guest_create()
    assert "A guest is a learner" in changed(client, staff, guest, **values).words
    assert (guest.role, guest.is_staff, guest.is_guest) == (Role.LEARNER, False, True)


def test_a_name_may_be_written_in_another_case(client: Client, staff: User, learner: User) -> None:
    assert changed(client, staff, learner, username="Ana").status == 302
    assert learner.username == "Ana"


def test_a_new_name_that_differs_by_case_only_is_refused(client: Client, staff: User, learner: User) -> None:
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    password = "correct horse battery"
    data = {"username": "ANA", "usable_password": "true", "password1": password, "password2": password}
    response = client.post("/admin/accounts/user/add/", data)
    assert response.status_code == 200
    assert "already exists" in response.content.decode()
