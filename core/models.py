"""Rows that every app needs and none owns."""

import pgtrigger
from django.db import models
from django.db.models import Q


class Refuse(pgtrigger.Trigger):
    """Refuses whole statements, unlike `pgtrigger.Protect` also those that meet no row; raises an `IntegrityError`.

    The application's role is not even granted what is refused without a condition: `core.operations.rights`.
    """

    when = pgtrigger.Before
    level = pgtrigger.Statement
    func = "RAISE EXCEPTION '%: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';"


class ReadOnlyButForOwner(pgtrigger.ReadOnly):
    """Columns that are excluded may be updated by the owner of the table alone, not by the application's role."""


class Heartbeat(models.Model):
    """When a kind of process last reported to be alive."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class LeasedWork(models.Model):
    """Work that outlives the process doing it: one worker holds the lease; when that runs out, another may take it.

    Source: design.md, "Work in the background".
    """

    class State(models.TextChoices):
        RUNNING = "running"
        DONE = "done"

    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    lease_until = models.DateTimeField(null=True)
    takes = models.PositiveSmallIntegerField(default=1)

    class Meta:
        abstract = True


class IdempotentRequest(LeasedWork):
    """A request that came with an `Idempotency-Key`, and what was answered. Kept for a day, then purged.

    `owner` is the sender, such as `user:12`: keys are unique for each owner.
    """

    owner = models.CharField(max_length=80)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, path and body")
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(null=True)
    body = models.BinaryField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["owner", "key"], name="idempotent_key_once_per_owner"),
            models.CheckConstraint(
                condition=Q(
                    state="done",
                    status__isnull=False,
                    headers__isnull=False,
                    body__isnull=False,
                    lease_until__isnull=True,
                )
                | Q(
                    state="running",
                    status__isnull=True,
                    headers__isnull=True,
                    body__isnull=True,
                    lease_until__isnull=False,
                ),
                name="idempotent_answer_whole",
            ),
        )
        indexes = (models.Index(fields=["created_at"], name="idempotent_by_age"),)

    def __str__(self) -> str:
        return f"{self.owner} {self.key}"


class RateWindow(models.Model):
    """How much was counted since `started_at`. One row for each key; old ones are purged.

    The table is unlogged: counting waits for no disk, and after a crash of the database everything counts anew.
    """

    key = models.CharField(max_length=120, primary_key=True)
    started_at = models.DateTimeField()
    count = models.PositiveIntegerField()

    class Meta:
        indexes = (models.Index(fields=["started_at"], name="rate_window_by_age"),)

    def __str__(self) -> str:
        return self.key
