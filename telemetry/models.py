"""The audit trail: one hash chain per session, and its events, which the database itself refuses to change."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import Refuse
from telemetry.contracts import NAME_LENGTH, EventLevel

LEVELS = [level.value for level in EventLevel]
HASH_LENGTH = 64
SIGNATURE_LENGTH = 96  # a number, a key's id and a hash, with colons between them
HASH_FORM = r"^[0-9a-f]{64}$"  # SHA-256 in hex


class ChainHead(models.Model):
    """The head of a hash chain: how long it is, the hash of its last row, and a signature. Appending holds its lock."""

    key = models.CharField(_("session"), max_length=64, primary_key=True)
    length = models.IntegerField(_("length"), default=0)
    head_hash = models.CharField(_("hash of the last event"), max_length=HASH_LENGTH)
    signature = models.CharField(
        _("signature"),
        max_length=SIGNATURE_LENGTH,
        blank=True,
        db_default="",  # a process from before it appends without one
        help_text="up to which row, the key's id and the HMAC, with colons between them; empty: not signed",
    )
    verified_at = models.DateTimeField(_("last good check"), null=True, blank=True)
    verified_length = models.IntegerField(_("length at the last good check"), default=0)
    broken_at = models.IntegerField(_("broken at"), null=True, blank=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(name="%(class)s_key_given", condition=~Q(key="")),
            models.CheckConstraint(name="%(class)s_length_from_zero", condition=Q(length__gte=0)),
            models.CheckConstraint(name="%(class)s_hash_is_sha256", condition=Q(head_hash__regex=HASH_FORM)),
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


class Chain(ChainHead):
    """The head of one session's events."""

    course = models.CharField(_("course"), max_length=128, blank=True)

    class Meta(ChainHead.Meta):
        verbose_name = _("chain")
        verbose_name_plural = _("chains")


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


class Horizon(models.Model):
    """Up to which event everything is there for good. One row; `services.horizon_advance` moves it.

    Ids are given out before transactions commit, so a later id may be seen before an earlier one. A reader that
    goes through events by id once (roll-ups, cursors) stops at `settled`. `candidate` is settled once
    every transaction that was under way when it was taken, those below `candidate_xmax`, has ended.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    settled = models.BigIntegerField(default=0)
    candidate = models.BigIntegerField(default=0)
    candidate_xmax = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(name="horizon_is_one_row", condition=Q(id=1)),
            models.CheckConstraint(name="horizon_in_order", condition=Q(settled__lte=models.F("candidate"))),
        ]

    def __str__(self) -> str:
        return str(self.settled)


class RollUpMark(models.Model):
    """Up to which event a measure was rolled up. Another definition of the measure begins from the first event."""

    measure = models.CharField(max_length=40, primary_key=True)
    definition = models.CharField(max_length=HASH_LENGTH, help_text="SHA-256 of what is counted and how")
    upto = models.BigIntegerField(default=0, help_text="id of the last event that is in the roll-up")

    def __str__(self) -> str:
        return f"{self.measure} {self.upto}"


class RollUp(models.Model):
    """What one measure counted on one day (UTC), by course, mode and label."""

    measure = models.CharField(max_length=40)
    day = models.DateField()
    course = models.CharField(max_length=128, blank=True)
    mode = models.CharField(max_length=16, blank=True)
    label = models.CharField(max_length=200, blank=True)
    count = models.BigIntegerField()
    total = models.FloatField(default=0, help_text="sum of the measured amount; 0 for a plain count")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="roll_up_once", fields=["measure", "day", "course", "mode", "label"], include=["count", "total"]
            ),
            models.CheckConstraint(name="roll_up_counts_something", condition=Q(count__gte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.measure} {self.day} {self.label}: {self.count}"
