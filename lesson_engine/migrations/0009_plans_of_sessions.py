"""Plans of sessions from before they said so are evaluated by the sessions alone; so are all of that type."""

from django.db import migrations

MARK = "UPDATE planning_plan SET evaluated_by = 'lesson_engine' WHERE task_type = 'lesson' AND evaluated_by = ''"


class Migration(migrations.Migration):
    dependencies = [("lesson_engine", "0008_sessionplan"), ("planning", "0002_plan_evaluated_by")]

    operations = [migrations.RunSQL(MARK, migrations.RunSQL.noop)]
