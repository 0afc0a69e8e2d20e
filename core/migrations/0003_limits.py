from django.db import migrations


class Migration(migrations.Migration):
    """What is given back may leave a count at zero, which the column's own check allows."""

    dependencies = [
        ('core', '0002_api'),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='ratewindow', name='rate_counts_from_one'),
        migrations.RunSQL('ALTER TABLE core_ratewindow SET UNLOGGED', 'ALTER TABLE core_ratewindow SET LOGGED'),
    ]
