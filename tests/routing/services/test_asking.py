"""A question is asked, stored with its plan and its audit entry, corrected, and erased."""

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.services import learner_erase
from routing.contracts import QueryPlan as Plan
from routing.contracts import validate_query_plan
from routing.errors import AuditWriteFailed, ConsultFailed, CorrectionRefused, QueryPlanInvalid
from routing.models import AuditEntry, LabelledExample, PackVersion, QueryPlan, Question
from routing.packs.pack import pack_shipped
from routing.router import Router
from routing.services import plan_correct, question_ask
from telemetry.models import Event

pytestmark = pytest.mark.django_db

EXCEDENCIA = "¿Es buen momento para solicitar excedencia en CGI?"


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


class Broken(Router):
    """A router with a fault of ours."""

    def routed(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
        raise RuntimeError("out of order")


def test_a_question_is_stored_with_its_plan_its_audit_entry_and_its_event(ana: User) -> None:
    row = question_ask(user=ana, message=EXCEDENCIA)
    entry = AuditEntry.objects.get()
    assert validate_query_plan(row.plan)
    assert entry.plan_snapshot == row.plan
    assert entry.query_plan == row
    assert entry.status == "success"
    assert entry.versions["pack"] == str(PackVersion.objects.get()) == str(row.pack)
    assert Question.objects.get().text == EXCEDENCIA
    assert list(Event.objects.values_list("event", flat=True)) == ["query.planned"]


def test_section_10_the_documents_own_example(ana: User) -> None:
    plan = Plan.model_validate(question_ask(user=ana, message=EXCEDENCIA).plan)
    assert (plan.mode, plan.domains_selected, plan.confidence, plan.flags) == (
        "deep",
        ["transition", "market"],
        "high",
        [],
    )
    assert "excedencia" in plan.rationale


@pytest.mark.parametrize("message", ["", "\0", "\ud800", "🦄" * 50, "{}", "<script>alert(1)</script>", "م" * 300])
def test_any_text_is_kept_unchanged_and_gets_a_plan(ana: User, message: str) -> None:
    row = question_ask(user=ana, message=message)
    row.refresh_from_db()
    assert validate_query_plan(row.plan)
    kept = Question.objects.get().message
    assert kept is not None
    assert bytes(kept).decode("utf-8", "surrogatepass") == message


def test_nothing_that_cannot_be_erased_holds_words_of_the_message(ana: User) -> None:
    message = "Soy Zacarías Urrutikoetxea y quiero pedir una excedencia para vender fincas en Zumarragarri"
    question_ask(user=ana, message=message)
    kept = [*QueryPlan.objects.values(), *AuditEntry.objects.values(), *Event.objects.values()]
    for word in ("Zacarías", "Urrutikoetxea", "Zumarragarri", "zacarias", "urrutikoetxea", "zumarragarri"):
        assert word not in str(kept)


def test_a_repeated_request_gives_the_same_plan(ana: User) -> None:
    first, second = (question_ask(user=ana, message="precio m2", request_key="a" * 64) for _ in range(2))
    assert first == second
    assert AuditEntry.objects.count() == 1


def test_a_question_that_cannot_be_read_is_on_record_and_can_be_asked_again(ana: User) -> None:
    with pytest.raises(ConsultFailed):
        question_ask(user=ana, message="hola", request_key="b" * 64, router=Broken())
    entry = AuditEntry.objects.get()
    assert (entry.status, entry.query_plan, "RuntimeError" in entry.error_message) == ("error", None, True)
    assert question_ask(user=ana, message="hola", request_key="b" * 64).confidence == "low"
    assert list(Event.objects.order_by("id").values_list("event", flat=True)) == ["query.failed", "query.planned"]


def test_a_pack_that_was_changed_under_its_version_is_on_record_as_an_error(ana: User) -> None:
    shipped = pack_shipped()
    PackVersion.objects.create(
        name=shipped.name, version=shipped.version, digest="0" * 64, content={}, created_at=timezone.now()
    )
    with pytest.raises(ConsultFailed):
        question_ask(user=ana, message=EXCEDENCIA)
    assert "pack" in AuditEntry.objects.get(status="error").error_message


def test_decision_9_a_plan_whose_audit_entry_cannot_be_written_is_not_given(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The database refuses the entry: a retention that its column cannot hold.
    monkeypatch.setattr("django.conf.settings.AUDIT_RETENTION_DAYS", -1)
    with pytest.raises(AuditWriteFailed):
        question_ask(user=ana, message=EXCEDENCIA)
    assert not Question.objects.exists()
    assert not QueryPlan.objects.exists()
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(("hint", "mode"), [("AUTO", None), ("finance", None), ("auto", "slow")])
def test_a_hint_or_mode_that_is_none_is_refused_by_name_and_nothing_is_stored(
    ana: User, hint: str, mode: str | None
) -> None:
    with pytest.raises(QueryPlanInvalid) as refused:
        question_ask(user=ana, message="hola", domain_hint=hint, mode=mode)
    assert refused.value.places
    assert not AuditEntry.objects.exists()


def test_a_correction_makes_a_linked_plan_and_a_labelled_example(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    corrected = plan_correct(plan_id=plan.pk, domain="tax", by=ana)
    assert corrected.domains == ["tax"]
    assert corrected.corrects == plan
    assert corrected.domain_hint == "tax"
    assert corrected.correlation_id == plan.correlation_id
    assert AuditEntry.objects.count() == 2
    example = LabelledExample.objects.get()
    assert (example.was, example.domain, example.state) == ("transition", "tax", "waits")
    assert QueryPlan.objects.get(pk=plan.pk).domains == ["transition", "market"], "the first plan stays as it was"


def test_a_correction_made_twice_is_one(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    first = plan_correct(plan_id=plan.pk, domain="tax", by=ana)
    assert plan_correct(plan_id=plan.pk, domain="tax", by=ana) == first
    assert plan_correct(plan_id=first.pk, domain="tax", by=ana) == first
    with pytest.raises(CorrectionRefused):
        plan_correct(plan_id=plan.pk, domain="brand", by=ana)
    assert plan_correct(plan_id=first.pk, domain="brand", by=ana).corrects == first
    assert LabelledExample.objects.get().domain == "brand"


@pytest.mark.parametrize("domain", ["lab", "auto", "finance", ""])
def test_nobody_can_correct_to_the_laboratory_or_to_what_is_no_domain(ana: User, domain: str) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    with pytest.raises(CorrectionRefused):
        plan_correct(plan_id=plan.pk, domain=domain, by=ana)


def test_an_erased_person_leaves_plans_and_trail_without_words(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    learner_erase(user=ana)
    question = Question.objects.get()
    assert question.text is None
    assert question.salt is None
    assert question.erased_at
    assert AuditEntry.objects.get().query_plan == plan
    with pytest.raises(CorrectionRefused):
        plan_correct(plan_id=plan.pk, domain="tax", by=ana)


def test_a_correction_that_fails_is_on_record(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    with pytest.raises(ConsultFailed):
        plan_correct(plan_id=plan.pk, domain="tax", by=ana, router=Broken())
    entry = AuditEntry.objects.get(status="error")
    assert entry.correlation_id == plan.correlation_id
    assert not QueryPlan.objects.filter(corrects=plan).exists()


def test_a_correction_is_sure_of_what_the_asker_said_and_less_of_what_says_nothing(ana: User) -> None:
    clear, nothing = (question_ask(user=ana, message=message) for message in (EXCEDENCIA, "???"))
    corrected = [plan_correct(plan_id=plan.pk, domain="tax", by=ana) for plan in (clear, nothing)]
    assert [plan.confidence for plan in corrected] == ["high", "medium"]
    assert corrected[0].probability > 0.9 > corrected[1].probability
    assert all("needs-clarification" not in plan.flags for plan in corrected)


def test_nobody_corrects_a_plan_to_the_domain_that_it_has(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    with pytest.raises(CorrectionRefused):
        plan_correct(plan_id=plan.pk, domain="transition", by=ana)
    assert not LabelledExample.objects.exists()


def test_a_fault_that_quotes_the_message_leaves_no_words_in_the_log(
    ana: User, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    class Quoting(Router):
        def routed(self, message: str, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            raise RuntimeError(f"cannot read {message}")

    with pytest.raises(ConsultFailed):
        question_ask(user=ana, message="Zacarías de Zumarragarri", router=Quoting())
    out = capsys.readouterr()
    assert "could not be read" in out.err + out.out + caplog.text
    assert "Zumarragarri" not in out.err + out.out + caplog.text
    assert "Zumarragarri" not in str(AuditEntry.objects.values())


def test_who_comes_back_to_what_the_router_said_leaves_no_example(ana: User) -> None:
    plan = question_ask(user=ana, message=EXCEDENCIA)
    corrected = plan_correct(plan_id=plan.pk, domain="tax", by=ana)
    back = plan_correct(plan_id=corrected.pk, domain="transition", by=ana)
    assert not LabelledExample.objects.exists()
    plan_correct(plan_id=back.pk, domain="brand", by=ana)
    assert LabelledExample.objects.get().domain == "brand"
