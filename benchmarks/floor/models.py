"""The scratch tables as models, for the floor that goes through the ORM. Made by `views.tables_make`."""

from typing import ClassVar

from django.db import models


class Learner(models.Model):
    """What is read and updated: a row for each learner, so that nobody waits for anybody."""

    payload = models.TextField()
    objects: ClassVar[models.Manager["Learner"]] = models.Manager()

    class Meta:
        app_label, managed, db_table = "floor", False, "bench_learner"


class Row(models.Model):
    """What is inserted."""

    learner = models.IntegerField()
    payload = models.TextField()
    objects: ClassVar[models.Manager["Row"]] = models.Manager()

    class Meta:
        app_label, managed, db_table = "floor", False, "bench_row"
