"""The tables of Celery's broker in the database, as kombu's transport for SQLAlchemy makes them where they are missing.

The worker's role may make no tables, so they come here. They were made at run time by versions before.
"""

from django.db import migrations

TABLES = """
CREATE SEQUENCE IF NOT EXISTS queue_id_sequence;
CREATE SEQUENCE IF NOT EXISTS message_id_sequence;
CREATE TABLE IF NOT EXISTS kombu_queue (
    id INTEGER NOT NULL,
    name VARCHAR(200),
    PRIMARY KEY (id),
    UNIQUE (name)
);
CREATE TABLE IF NOT EXISTS kombu_message (
    id INTEGER NOT NULL,
    visible BOOLEAN,
    timestamp TIMESTAMP WITHOUT TIME ZONE,
    payload TEXT NOT NULL,
    version SMALLINT NOT NULL,
    queue_id INTEGER,
    PRIMARY KEY (id),
    CONSTRAINT "FK_kombu_message_queue" FOREIGN KEY(queue_id) REFERENCES kombu_queue (id)
);
CREATE INDEX IF NOT EXISTS ix_kombu_message_timestamp_id ON kombu_message (timestamp, id);
CREATE INDEX IF NOT EXISTS ix_kombu_message_timestamp ON kombu_message (timestamp);
CREATE INDEX IF NOT EXISTS ix_kombu_message_visible ON kombu_message (visible);
INSERT INTO kombu_queue (id, name) VALUES (nextval('queue_id_sequence'), 'celery') ON CONFLICT DO NOTHING;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0003_limits'),
    ]

    operations = [
        migrations.RunSQL(TABLES, migrations.RunSQL.noop),
    ]
