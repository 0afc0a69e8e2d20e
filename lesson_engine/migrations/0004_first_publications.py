"""Lessons from before publications were kept get the one that made their current version current."""

from django.db import migrations

# A version's import published it then, so its time stands in for that of the publication. A row that is there already,
# from this migration or from someone who published since, says more than a guess.
FILL = """
INSERT INTO lesson_engine_publication (lesson_id, version_id, by_id, at)
SELECT lesson.id, lesson.current_id, NULL, version.imported_at
FROM lesson_engine_lesson AS lesson
JOIN lesson_engine_lessonversion AS version ON version.id = lesson.current_id
WHERE NOT EXISTS (SELECT 1 FROM lesson_engine_publication AS publication WHERE publication.lesson_id = lesson.id)
"""


class Migration(migrations.Migration):
    dependencies = [("lesson_engine", "0003_session_counts")]

    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
