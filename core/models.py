"""Rows that every app needs and none owns."""

from django.db import models


class Heartbeat(models.Model):
    """When a kind of process last said that it is alive."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class LeasedWork(models.Model):
    """Work that outlives the process doing it: whoever holds the lease works; when it runs out, anyone may take it up.

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
