"""What superusers do to people: erase learners, reset a second factor, revoke tokens; all of it noted."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.models import ApiToken, Role, Scope, User
from accounts.services import learner_of, token_issue
from tests.accounts.phone import set_up
from tests.conftest import LessonMaker
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import Page

PEOPLE, TOKENS = "/admin/accounts/user/", "/admin/accounts/apitoken/"


def act(client: Client, address: str, action: str, *rows: Any, **more: str) -> Any:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows], **more}
    return client.post(address, data, follow=True)


def erase(client: Client, *people: User, **more: str) -> Page:
    return Page(act(client, PEOPLE, "erase_learners", *people, **more))


def erased(user: User) -> bool:
    user.refresh_from_db()
    return user.erased_at is not None


def test_erasing_says_what_goes_and_asks_for_the_name(desk: Client, learner: User) -> None:
    page = erase(desk, learner)
    assert "What goes" in page.words
    assert "What stays, without a name" in page.words
    for typed in ({}, {"typed": "anna"}, {"typed": ""}):
        asked = erase(desk, learner, confirmed="yes", **typed)
        assert asked.status == 422
        assert "That is not the name" in asked.words
    assert not erased(learner)
    assert "1 learner was erased." in erase(desk, learner, confirmed="yes", typed=" ana ").words
    assert erased(learner)


def test_the_pages_own_form_is_enough(desk: Client, learner: User) -> None:
    form = next(form for form in erase(desk, learner).tree.find("form") if form.find("input", name="confirmed"))
    hidden = {node.attrs["name"]: node.attrs["value"] for node in form.find("input", type="hidden")}
    desk.post(PEOPLE, {**hidden, "typed": "ana"})
    assert erased(learner)


def test_erasing_is_noted_without_the_name(desk: Client, learner: User, staff: User) -> None:
    erase(desk, learner, confirmed="yes", typed="ana")
    entry = LogEntry.objects.get(object_id=str(learner.pk))
    learner.refresh_from_db()
    assert (entry.user, entry.object_repr, entry.change_message) == (staff, learner.username, "Erased.")
    assert "ana" not in Page(desk.get(f"{PEOPLE}{learner.pk}/history/")).words.split()


def test_several_are_erased_with_one_click_more_and_refusals_are_said(
    desk: Client, learner: User, stranger: User, staff: User
) -> None:
    assert not erase(desk, learner, stranger, staff).tree.find("input", name="typed")
    page = erase(desk, learner, stranger, staff, confirmed="yes")
    assert "Not erased: carla. Staff cannot be erased." in page.words
    assert "2 learners were erased." in page.words
    assert [erased(user) for user in (learner, stranger, staff)] == [True, True, False]


def test_a_session_of_somebody_erased_can_still_be_read(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    walk = Walk(learner, make_lesson()).go_on().answer("pomegranate juice")
    erase(desk, learner, confirmed="yes", typed="ana")
    page = Page(desk.get(f"/admin/lesson_engine/session/{walk.session.pk}/change/"))
    assert page.status == 200
    assert "The learner's words were erased." in page.words
    assert "pomegranate" not in page.words


def test_nobody_can_write_a_name_into_an_erased_row(desk: Client, learner: User) -> None:
    erase(desk, learner, confirmed="yes", typed="ana")
    learner.refresh_from_db()
    assert desk.post(f"{PEOPLE}{learner.pk}/change/", {"username": "ana", "role": "learner"}).status_code == 403
    password = {"password1": "correct horse", "password2": "correct horse", "usable_password": "true"}
    assert desk.post(f"{PEOPLE}{learner.pk}/password/", password).status_code == 403
    assert Page(desk.get(f"{PEOPLE}{learner.pk}/change/")).status == 200


def test_only_superusers_erase_and_reset(client: Client, learner: User, staff: User) -> None:
    clerk = User.objects.create_user("otto", password="x", role=Role.STAFF, is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(content_type__app_label="accounts"))
    client.force_login(clerk, "django.contrib.auth.backends.ModelBackend")
    assert client.get(PEOPLE).status_code == 200
    assert client.get(TOKENS).status_code == 403
    for action in ("erase_learners", "reset_second_factor"):
        act(client, PEOPLE, action, learner, confirmed="yes", typed="ana")
    assert not erased(learner)


def test_a_lost_second_factor_is_reset(desk: Client, staff: User) -> None:
    clerk = User.objects.create_user("otto", password="x", role=Role.STAFF, is_staff=True)
    theirs = Client()
    theirs.force_login(clerk, "django.contrib.auth.backends.ModelBackend")
    set_up(theirs)
    assert "10 recovery codes left" in Page(desk.get(f"{PEOPLE}{clerk.pk}/change/")).words
    response = act(desk, PEOPLE, "reset_second_factor", clerk, staff)
    assert "The second factor of 1 person was reset." in Page(response).words
    assert not TOTPDevice.objects.exists()
    assert LogEntry.objects.get(object_id=str(clerk.pk)).change_message == "Second factor reset."
    assert "not set up" in Page(desk.get(f"{PEOPLE}{clerk.pk}/change/")).words


def test_keys_and_codes_of_the_second_factor_have_no_page(desk: Client) -> None:
    for address in ("otp_totp/totpdevice", "otp_static/staticdevice"):
        assert desk.get(f"/admin/{address}/").status_code == 404
    assert "OTP" not in desk.get("/admin/").content.decode()


def test_tokens_are_seen_and_revoked(desk: Client, learner: User, staff: User, django_assert_num_queries: Any) -> None:
    made = [token_issue(user=learner, name=f"laptop {n}", scopes=[Scope.LESSONS_READ], days=1) for n in range(3)]
    with django_assert_num_queries(4):  # the browser's session, its user, how many, and the tokens with their users
        page = Page(desk.get(TOKENS))
    assert page.words.count("active") >= 3
    for _, secret in made:
        assert secret[16:] not in page.html
    response = act(desk, TOKENS, "revoke", made[0][0], made[1][0])
    assert "2 tokens were revoked." in Page(response).words
    assert ApiToken.objects.filter(revoked_at=None).get() == made[2][0]
    assert LogEntry.objects.filter(change_message="Revoked.").count() == 2
    assert "0 tokens were revoked." in Page(act(desk, TOKENS, "revoke", made[0][0])).words


def test_people_are_listed_in_few_statements(desk: Client, staff: User, django_assert_num_queries: Any) -> None:
    for number in range(3):
        learner_of(integrator=staff, pseudonym=f"pupil-{number}")
    with django_assert_num_queries(4):  # the browser's session, its user, how many, and the people with their managers
        page = Page(desk.get(PEOPLE))
    assert page.words.count("managed-") == 3
    found = Page(desk.get(f"{PEOPLE}?q=pupil-2"))
    assert found.words.count("managed-") == 1


def test_somebody_managed_stays_a_learner(desk: Client, staff: User) -> None:
    learner = learner_of(integrator=staff, pseudonym="pupil-7")
    data = {"username": learner.username, "role": "staff", "date_joined_0": "2026-01-01", "date_joined_1": "00:00"}
    page = Page(desk.post(f"{PEOPLE}{learner.pk}/change/", data))
    assert "Somebody whom a program manages is a learner" in page.words


def test_what_axes_counts_is_there_for_superusers(desk: Client) -> None:
    for model in ("accessattempt", "accessfailurelog", "accesslog"):
        assert desk.get(f"/admin/axes/{model}/").status_code == 200


@pytest.mark.parametrize("many", [101])
def test_too_many_at_once_are_not_erased(desk: Client, many: int) -> None:
    people = User.objects.bulk_create(User(username=f"pupil-{number}") for number in range(many))
    page = erase(desk, *people, confirmed="yes")
    assert "At most 100 people" in page.words
    assert not User.objects.exclude(erased_at=None).exists()
