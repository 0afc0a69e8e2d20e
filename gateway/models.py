"""Rows of money and of calls to models. Amounts are whole micro-cents; the database refuses what overspends."""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import ReadOnlyButForOwner, Refuse
from gateway.contracts import DegradationLevel, Outcome, Tier, TokenPrices
from telemetry.models import HASH_FORM, HASH_LENGTH, SIGNATURE_LENGTH

TIERS = [(tier.value, tier.value) for tier in Tier]
OUTCOMES = [(outcome.value, outcome.value) for outcome in Outcome]
_NEVER = pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate
_GONE = pgtrigger.Delete | pgtrigger.Truncate


class Account(models.Model):
    """A limit, and what was spent and is held under it.

    Scopes are in the order in which their rows are locked: several are always locked in this order, so that no two
    transactions wait for each other, and those that many share come last and are held shortest.
    """

    class Scope(models.TextChoices):
        OPERATION = "operation", _("one operation")
        SESSION = "session", _("a session")
        USER_DAY = "user_day", _("a user's day")
        USER_MONTH = "user_month", _("a user's share of an agent's month")
        INTEGRATOR_MONTH = "integrator_month", _("the share of an agent's month of an integrator's learners")
        GUESTS_DAY = "guests_day", _("all guests' day")
        GUESTS_MONTH = "guests_month", _("all guests' share of an agent's month")
        AGENT_MONTH = "agent_month", _("an agent's month")

    SHARED = (Scope.INTEGRATOR_MONTH, Scope.GUESTS_DAY, Scope.GUESTS_MONTH, Scope.AGENT_MONTH)
    """Accounts of many payers; the others are of one."""
    OWN = (Scope.OPERATION, Scope.SESSION, Scope.USER_DAY, Scope.USER_MONTH)

    scope = models.CharField(_("scope"), max_length=20, choices=Scope.choices)
    key = models.CharField(_("key"), max_length=80)
    limit = models.BigIntegerField(help_text="micro-cents")
    spent = models.BigIntegerField(default=0, help_text="micro-cents, settled; the sum of the three below")
    spent_cheap = models.BigIntegerField(default=0)
    spent_embed = models.BigIntegerField(default=0)
    spent_thinker = models.BigIntegerField(default=0)
    held = models.BigIntegerField(default=0, help_text="micro-cents, reserved and not settled yet")
    thinker_floor = models.BigIntegerField(default=0, help_text="micro-cents; with less left, no thinker")
    economy_floor = models.BigIntegerField(default=0, help_text="micro-cents; with less left, embeddings alone")
    escalations_limit = models.PositiveSmallIntegerField()
    escalations_used = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField(_("opened"), auto_now_add=True)
    # Of the chain of its entries, see `ledger.chaining`; the database fills in for a process that knows none.
    length = models.IntegerField(db_default=0)
    head_hash = models.CharField(max_length=HASH_LENGTH, blank=True, db_default="", help_text="empty: before chains")
    signature = models.CharField(max_length=SIGNATURE_LENGTH, blank=True, db_default="")

    class Meta:
        verbose_name, verbose_name_plural = _("budget account"), _("budget accounts")
        constraints = (
            models.UniqueConstraint(fields=["scope", "key"], name="account_scope_key"),
            models.CheckConstraint(
                condition=Q(limit__gte=0, spent__gte=0, held__gte=0) & Q(spent__lte=F("limit") - F("held")),
                name="account_never_overspent",
            ),
            models.CheckConstraint(
                condition=Q(escalations_used__lte=F("escalations_limit")), name="account_escalations_within_limit"
            ),
            models.CheckConstraint(
                condition=Q(spent_cheap__gte=0, spent_embed__gte=0, spent_thinker__gte=0)
                & Q(spent=F("spent_cheap") + F("spent_embed") + F("spent_thinker")),
                name="account_spent_by_tier",
            ),
            models.CheckConstraint(
                condition=Q(thinker_floor__gte=0, economy_floor__gte=0), name="account_floors_from_zero"
            ),
        )
        indexes = (models.Index(fields=["scope", "opened_at"], name="account_by_opening"),)
        triggers = (Refuse(name="account_kept", operation=_GONE),)

    def __str__(self) -> str:
        return f"{self.scope}:{self.key}"


class Price(models.Model):
    """What a model costs from some moment on, in micro-cents per 1,000 tokens. Never changes: a change is a version."""

    tier = models.CharField(_("tier"), max_length=10, choices=TIERS)
    model = models.CharField(_("model"), max_length=120)
    version = models.PositiveIntegerField(_("version"))
    input = models.BigIntegerField(_("input"))
    cached = models.BigIntegerField(_("cached input"))
    output = models.BigIntegerField(_("output"))
    reasoning = models.BigIntegerField(_("reasoning"))
    embedding = models.BigIntegerField(_("embedding"))
    created_at = models.DateTimeField(_("since"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("None: it came with the program or by a command."),
    )
    reason = models.CharField(_("reason"), max_length=500)

    class Meta:
        verbose_name, verbose_name_plural = _("price"), _("prices")
        constraints = (
            models.UniqueConstraint(fields=["tier", "model", "version"], name="price_version"),
            models.CheckConstraint(
                condition=Q(input__gte=0, cached__gte=0, output__gte=0, reasoning__gte=0, embedding__gte=0),
                name="price_from_zero",
            ),
            models.CheckConstraint(condition=~Q(model="") & ~Q(reason=""), name="price_says_of_what_and_why"),
        )
        triggers = (Refuse(name="price_frozen", operation=_NEVER),)

    def __str__(self) -> str:
        return f"{self.tier} {self.model} v{self.version}"

    @property
    def tokens(self) -> TokenPrices:
        """The figures as a value."""
        return TokenPrices.from_object(self)


class Hold(models.Model):
    """The worst case of one call, set aside before it, and what became of it. One row for each request to a provider.

    Money leaves `held` once: by settling, releasing or expiring, each of which asks for the state it ends.
    """

    class State(models.TextChoices):
        HELD = "held", pgettext_lazy("hold", "held")
        DISPATCHED = "dispatched", pgettext_lazy("hold", "dispatched")
        SETTLED = "settled", pgettext_lazy("hold", "settled")
        RELEASED = "released", pgettext_lazy("hold", "released")
        EXPIRED = "expired", pgettext_lazy("hold", "expired")

    OPEN = (State.HELD, State.DISPATCHED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.HELD)
    tier = models.CharField(_("tier"), max_length=10, choices=TIERS)
    model = models.CharField(_("model"), max_length=120)
    price = models.ForeignKey(Price, verbose_name=_("price"), on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField(help_text="micro-cents set aside: the worst case")
    cost = models.BigIntegerField(null=True, help_text="micro-cents taken from the accounts; None while it is open")
    overrun = models.BigIntegerField(default=0, help_text="micro-cents that it cost and no account could bear")
    outcome = models.CharField(_("outcome"), max_length=10, choices=OUTCOMES, blank=True)
    unverified = models.BooleanField(
        _("unverified"), default=False, help_text=_("The provider's count is unknown, and the worst case was charged.")
    )
    escalation = models.BooleanField(_("escalation"), default=False)
    operation = models.CharField(_("operation"), max_length=40)
    call = models.UUIDField(help_text="the same for all attempts of one call, retries and fallbacks")
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    agent = models.CharField(max_length=32)
    chain = models.CharField(max_length=64, help_text="the chain of telemetry that tells of it, such as a session's")
    course = models.CharField(max_length=128, blank=True)
    mode = models.CharField(max_length=16, blank=True)
    subject = models.CharField(max_length=80, blank=True, help_text='what in the chain it was for, such as "turn:5"')
    prompt_digest = models.CharField(max_length=64, blank=True, help_text="HMAC-SHA-256, keyed with the secret key")
    prompt_bytes = models.PositiveIntegerField(default=0)
    reply_digest = models.CharField(max_length=64, blank=True)
    reply_bytes = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveIntegerField(null=True)
    cached_tokens = models.PositiveIntegerField(null=True)
    output_tokens = models.PositiveIntegerField(null=True)
    reasoning_tokens = models.PositiveIntegerField(null=True)
    latency_ms = models.PositiveIntegerField(null=True)
    reserved_at = models.DateTimeField(_("reserved"))
    dispatched_at = models.DateTimeField(_("dispatched"), null=True)
    settled_at = models.DateTimeField(_("closed"), null=True)
    expires_at = models.DateTimeField(_("expires"))

    class Meta:
        verbose_name, verbose_name_plural = _("call"), _("calls to models")
        constraints = (
            models.CheckConstraint(condition=Q(amount__gte=0, overrun__gte=0), name="hold_amounts_from_zero"),
            models.CheckConstraint(
                condition=Q(state__in=("held", "dispatched"), cost__isnull=True, settled_at__isnull=True)
                | Q(state="settled", cost__gte=0, settled_at__isnull=False, dispatched_at__isnull=False)
                & ~Q(outcome="")
                | Q(state__in=("released", "expired"), cost=0, settled_at__isnull=False),
                name="hold_state_complete",
            ),
            models.CheckConstraint(
                condition=~Q(state="dispatched") | Q(dispatched_at__isnull=False), name="hold_dispatched_has_time"
            ),
        )
        indexes = (
            models.Index(fields=["expires_at"], condition=Q(state__in=("held", "dispatched")), name="hold_open"),
            models.Index(fields=["chain", "reserved_at"], name="hold_by_chain"),
            models.Index(fields=["-reserved_at"], name="hold_by_time"),
            models.Index(fields=["-reserved_at"], condition=Q(unverified=True), name="hold_unverified"),
        )
        triggers = (Refuse(name="hold_kept", operation=_GONE),)

    def __str__(self) -> str:
        return str(self.id)


class Entry(models.Model):
    """One movement of an account's money between what was granted, is available, is held and is spent. Only inserted.

    The four sum to zero, which the database holds; over all entries of an account they are its limit (as minus
    `granted`), what is left, `held` and `spent`.
    """

    class Kind(models.TextChoices):
        OPEN = "open", pgettext_lazy("entry", "open")
        RESERVE = "reserve", pgettext_lazy("entry", "reserve")
        SETTLE = "settle", pgettext_lazy("entry", "settle")
        RELEASE = "release", pgettext_lazy("entry", "release")
        EXPIRE = "expire", pgettext_lazy("entry", "expire")
        ADJUST = "adjust", pgettext_lazy("entry", "adjust")
        CORRECT = "correct", pgettext_lazy("entry", "correct")

    # No indexes of their own: the index below begins with the account, the unique key with the call.
    account = models.ForeignKey(
        Account, verbose_name=_("account"), on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    hold = models.ForeignKey(
        Hold, verbose_name=_("call"), null=True, on_delete=models.PROTECT, related_name="entries", db_index=False
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    granted = models.BigIntegerField(default=0)
    available = models.BigIntegerField(default=0)
    held = models.BigIntegerField(default=0)
    spent = models.BigIntegerField(default=0)
    at = models.DateTimeField(_("time"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    # Its place in the chain of its account; none for calls in accounts that many share, and before `audit_sign`.
    seq = models.IntegerField(null=True)
    previous_hash = models.CharField(max_length=HASH_LENGTH, blank=True, db_default="")
    hash = models.CharField(max_length=HASH_LENGTH, blank=True, db_default="")

    class Meta:
        verbose_name, verbose_name_plural = _("ledger entry"), _("ledger entries")
        constraints = (
            models.CheckConstraint(
                condition=Q(granted=-F("available") - F("held") - F("spent")), name="entry_sums_to_zero"
            ),
            # Whatever is tried again, a hold moves an account's money in each way once.
            models.UniqueConstraint(fields=["hold", "account", "kind"], name="entry_once_per_hold"),
            models.CheckConstraint(
                condition=Q(kind__in=("adjust", "correct"), by__isnull=False) & ~Q(reason="")
                | ~Q(kind__in=("adjust", "correct")) & Q(by__isnull=True),
                name="entry_of_staff_has_reason",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=("open", "adjust"), hold__isnull=True)
                | ~Q(kind__in=("open", "adjust")) & Q(hold__isnull=False),
                name="entry_of_call_has_hold",
            ),
            models.UniqueConstraint(fields=["account", "seq"], name="entry_once_per_place"),
            models.CheckConstraint(
                condition=Q(seq__isnull=True, previous_hash="", hash="")
                | Q(seq__gte=1, previous_hash__regex=HASH_FORM, hash__regex=HASH_FORM),
                name="entry_place_whole_or_none",
            ),
        )
        indexes = (
            models.Index(fields=["account", "-id"], name="entry_by_account"),
            models.Index(fields=["-id"], condition=Q(kind__in=("adjust", "correct")), name="entry_of_staff"),
        )
        triggers = (
            Refuse(name="entry_append_only", operation=_GONE),
            # An entry gets its place in the chain once; `audit_sign`, run by the owner, gives those from before theirs.
            ReadOnlyButForOwner(name="entry_frozen", exclude=["seq", "previous_hash", "hash"]),
            pgtrigger.Protect(
                name="entry_place_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__seq__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.account_id} {self.kind}"


class CallText(models.Model):
    """What was sent to a model and came back, kept only where `MODEL_TEXT_LOG` allows it, apart and erasable."""

    hold = models.OneToOneField(
        Hold, verbose_name=_("call"), primary_key=True, on_delete=models.PROTECT, related_name="text"
    )
    prompt = models.TextField(_("prompt"), null=True)  # noqa: DJ001 - null is "erased"
    reply = models.TextField(_("reply"), null=True)  # noqa: DJ001 - null is "erased"
    kept_until = models.DateTimeField(_("kept until"))
    erased_at = models.DateTimeField(_("erased"), null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("text of a call"), _("texts of calls")
        constraints = (
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True, prompt__isnull=False, reply__isnull=False)
                | Q(erased_at__isnull=False, prompt__isnull=True, reply__isnull=True),
                name="call_text_whole_or_erased",
            ),
        )
        indexes = (models.Index(fields=["kept_until"], condition=Q(erased_at__isnull=True), name="call_text_by_age"),)

    def __str__(self) -> str:
        return str(self.hold_id)


class Breaker(models.Model):
    """How a model has been doing. While `open_until` is ahead, it is not asked; after that one call tries."""

    model = models.CharField(_("model"), max_length=120, primary_key=True)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    open_until = models.DateTimeField(_("left alone until"), null=True)
    opened_at = models.DateTimeField(_("opened"), null=True)
    trips = models.PositiveIntegerField(_("times opened in a row"), default=0)
    last_failure = models.CharField(_("last failure"), max_length=200, blank=True)
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name, verbose_name_plural = _("circuit breaker"), _("circuit breakers")
        constraints = (
            models.CheckConstraint(
                condition=Q(open_until__isnull=True) | Q(opened_at__isnull=False), name="breaker_open_has_time"
            ),
        )

    def __str__(self) -> str:
        return self.model


class OperationTiming(models.Model):
    """How long one run of an operation took. Kept for `TIMINGS_KEPT` days."""

    class Outcome(models.TextChoices):
        DONE = "done", pgettext_lazy("operation", "done")
        FAILED = "failed", pgettext_lazy("operation", "failed")
        TIMED_OUT = "timed_out", pgettext_lazy("operation", "timed out")
        TOO_DEAR = "too_dear", pgettext_lazy("operation", "over the budget")

    operation = models.CharField(_("operation"), max_length=40)
    at = models.DateTimeField(_("time"))
    ms = models.PositiveIntegerField("ms")
    target_ms = models.PositiveIntegerField(_("target, ms"), null=True)
    violated = models.BooleanField(_("over its target"), default=False)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome.choices)
    cache_hit = models.BooleanField(_("from the cache"), null=True, help_text="None: the operation has no cache")
    # No foreign key: a guest who becomes an account is deleted, and the number of one who was erased names nobody.
    user_id = models.BigIntegerField(_("user"), null=True, help_text="for whom; None: for nobody who is known")

    class Meta:
        verbose_name, verbose_name_plural = _("timing"), _("timings")
        constraints = (
            models.CheckConstraint(
                condition=Q(violated=False) | Q(target_ms__isnull=False, ms__gt=F("target_ms")),
                name="timing_violation_is_over_target",
            ),
        )
        indexes = (
            models.Index(fields=["at"], name="timing_by_time"),
            models.Index(
                fields=["at"],
                include=["operation", "user_id"],
                condition=Q(violated=True),
                name="timing_violations",
            ),
        )

    def __str__(self) -> str:
        return f"{self.operation} {self.ms} ms"


class Degradation(models.Model):
    """The last level that was recorded. One row; the level in force is counted anew each time."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    level = models.CharField(max_length=10, choices=[(level.value, level.value) for level in DegradationLevel])
    changed_at = models.DateTimeField()

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="degradation_is_one_row"),)

    def __str__(self) -> str:
        return self.level


class Alert(models.Model):
    """Something that staff should look at, raised once for each `key`."""

    class Kind(models.TextChoices):
        BUDGET_LOW = "budget_low", _("less than 20 % of a session's budget is left")
        ESCALATIONS_MANY = "escalations_many", _("more than 3 escalations in a session")
        THINKER_SHARE = "thinker_share", _("the thinker has more than 5 % of the calls")
        USER_DAY_HIGH = "user_day_high", _("a user's day cost more than US$ 7")
        REFLECTION_COST = "reflection_cost", _("a reflection cost more than US$ 0.05")
        OVERRUN = "overrun", _("a call cost more than was set aside")
        BREAKER_OPEN = "breaker_open", _("a model fails and is left alone")
        DEGRADED = "degraded", _("operations are too slow: less is done for everybody")
        PLANNING_SLOW = "planning_slow", _("planning takes over 3 s (p95)")
        EVALUATION_SLOW = "evaluation_slow", _("evaluation takes over 1 s (p95)")
        REFLECTION_SLOW = "reflection_slow", _("reflection takes over 5 s (p95)")
        CACHE_COLD = "cache_cold", _("the plan cache hits under 20 %")
        TIMEOUTS_MANY = "timeouts_many", _("over 5 % of operations time out")
        # Raised by the layer that reflects. Source: RT-010, "Quality Targets".
        QUALITY_LOW = "quality_low", _("reflections score under 0.6 on average")
        DEPTH_LOW = "depth_low", _("reflections have a depth under 0.5 on average")
        ACTIONABILITY_LOW = "actionability_low", _("reflections have an actionability under 0.6 on average")
        COMPLETENESS_LOW = "completeness_low", _("reflections have a completeness under 0.7 on average")
        REJECTIONS_MANY = "rejections_many", _("over 15 % of reflections are rejected")
        PATTERNS_WEAK = "patterns_weak", _("patterns have a validity under 0.5 on average")
        IMPROVEMENT_FAILS = "improvement_fails", _("under 80 % of reflections become valid in the end")

    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    key = models.CharField(_("about"), max_length=120)
    details = models.JSONField(_("details"), default=dict)
    raised_at = models.DateTimeField(_("raised"))
    seen_at = models.DateTimeField(_("seen"), null=True)
    seen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("seen by"), null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("alert"), _("alerts")
        constraints = (models.UniqueConstraint(fields=["kind", "key"], name="alert_once"),)
        indexes = (
            models.Index(fields=["-raised_at"], name="alert_by_time"),
            models.Index(fields=["-raised_at"], condition=Q(seen_at=None), name="alert_unseen"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class CachedEmbedding(models.Model):
    """A text's vector by one model, shared by all processes. The text itself is not here, only a keyed hash of it."""

    model = models.CharField(max_length=60)
    digest = models.BinaryField(max_length=32, help_text="HMAC-SHA-256 of the text, keyed with the secret key")
    vector = models.BinaryField(help_text="float32, little endian")
    used_at = models.DateTimeField(help_text="to about a day: what was not used for longest goes first")

    class Meta:
        verbose_name, verbose_name_plural = _("cached embedding"), _("cached embeddings")
        constraints = (models.UniqueConstraint(fields=["model", "digest"], name="cached_embedding_once"),)
        indexes = (models.Index(fields=["used_at"], name="cached_embedding_by_use"),)

    def __str__(self) -> str:
        return f"{self.model} {bytes(self.digest).hex()[:12]}"
