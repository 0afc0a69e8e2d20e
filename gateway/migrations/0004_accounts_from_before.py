from django.db import migrations

# Accounts from before the ledger: what they were granted becomes their first entry, and modes change where they do now.
_ENTRIES = """
INSERT INTO gateway_entry (account_id, kind, granted, available, held, spent, at, reason)
SELECT id, 'open', -"limit", "limit", 0, 0, opened_at, '' FROM gateway_account AS account
WHERE NOT EXISTS (SELECT FROM gateway_entry WHERE account_id = account.id)
"""
_FLOORS = "UPDATE gateway_account SET thinker_floor = 10000000, economy_floor = 5000000 WHERE scope = 'session'"


class Migration(migrations.Migration):
    dependencies = [("gateway", "0003_ledger")]

    operations = [
        migrations.RunSQL(_ENTRIES, migrations.RunSQL.noop),
        migrations.RunSQL(_FLOORS, migrations.RunSQL.noop),
    ]
