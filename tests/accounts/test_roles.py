"""Who may be what, as the database holds it; and the accounts of the demonstration."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from accounts.models import Role, User
from accounts.services import demo_accounts_ensure, guest_create


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
        assert user.is_staff == user.is_superuser == (name == "staff")
    assert [account.password for account in demo_accounts_ensure()] == [None, None]
    assert User.objects.count() == 2


@pytest.mark.django_db
def test_a_password_given_is_set_on_existing_demo_accounts_too() -> None:
    demo_accounts_ensure()
    assert {account.password for account in demo_accounts_ensure(password="of my choice")} == {"of my choice"}
    assert all(user.check_password("of my choice") for user in User.objects.all())
