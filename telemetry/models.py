"""The audit trail: one hash chain per session, and its events, which the database itself refuses to change."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from telemetry.contracts import NAME_LENGTH, EventLevel

LEVELS = [level.value for level in EventLevel]
HASH_LENGTH = 64
HASH_FORM = r"^[0-9a-f]{64}$"  # SHA-256 in hex


class Refuse(pgtrigger.Trigger):
    """Refuses whole statements, unlike `pgtrigger.Protect` also those that meet no row; raises an `IntegrityError`."""

    when = pgtrigger.Before
    level = pgtrigger.Statement
    func = "RAISE EXCEPTION '%: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';"


class Chain(models.Model):
    """The head of one session's events. Whoever appends holds this row's lock."""

    key = models.CharField(_("session"), max_length=64, primary_key=True)
    course = models.CharField(_("course"), max_length=128, blank=True)
    length = models.IntegerField(_("length"), default=0)
    head_hash = models.CharField(_("hash of the last event"), max_length=HASH_LENGTH)
    verified_at = models.DateTimeField(_("last good check"), null=True, blank=True)
    verified_length = models.IntegerField(_("length at the last good check"), default=0)
    broken_at = models.IntegerField(_("broken at"), null=True, blank=True)

    class Meta:
        verbose_name = _("chain")
        verbose_name_plural = _("chains")
        constraints = [
            models.CheckConstraint(name="chain_key_given", condition=~Q(key="")),
            models.CheckConstraint(name="chain_length_from_zero", condition=Q(length__gte=0)),
            models.CheckConstraint(name="chain_hash_is_sha256", condition=Q(head_hash__regex=HASH_FORM)),
        ]
        triggers = [
            Refuse(name="keep", operation=pgtrigger.Delete | pgtrigger.Truncate),
            Refuse(
                name="only_grow",
                level=pgtrigger.Row,
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "NEW.length < OLD.length OR NEW.key <> OLD.key"
                    " OR (NEW.length = OLD.length AND NEW.head_hash <> OLD.head_hash)"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Event(models.Model):
    """One event. Rows are only ever inserted, by `services.events_append`."""

    # No index of its own: the unique pair below begins with it, and every further index is paid by each turn.
    chain = models.ForeignKey(
        Chain, on_delete=models.PROTECT, related_name="events", db_index=False, verbose_name=_("session")
    )
    seq = models.IntegerField(_("number"))
    timestamp = models.DateTimeField(_("time"))
    level = models.CharField(_("level"), max_length=16, choices=[(level, level) for level in LEVELS])
    event = models.CharField(_("event"), max_length=NAME_LENGTH)
    course = models.CharField(_("course"), max_length=128, blank=True)
    mode = models.CharField(_("mode"), max_length=16, blank=True)
    data = models.JSONField(_("data"))
    previous_hash = models.CharField(_("hash of the event before"), max_length=HASH_LENGTH)
    hash = models.CharField(_("hash"), max_length=HASH_LENGTH)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(name="event_once_per_place", fields=["chain", "seq"]),
            models.CheckConstraint(name="event_seq_from_one", condition=Q(seq__gte=1)),
            models.CheckConstraint(name="event_level_known", condition=Q(level__in=LEVELS)),
            models.CheckConstraint(
                name="event_hashes_are_sha256",
                condition=Q(hash__regex=HASH_FORM, previous_hash__regex=HASH_FORM),
            ),
        ]
        indexes = [
            models.Index(name="event_by_time", fields=["timestamp"]),
            models.Index(name="event_by_name_and_time", fields=["event", "timestamp"]),
        ]
        triggers = [
            Refuse(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate),
        ]

    def __str__(self) -> str:
        return f"{self.chain_id} {self.seq} {self.event}"
