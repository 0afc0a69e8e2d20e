"""Staff say whether a corrected question is a good example of its domain."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from routing.models import LabelledExample


@transaction.atomic
def example_review(*, example_id: int, accept: bool, by: User) -> LabelledExample:
    """Accept or dismiss it; staff may change their mind. Raises `LabelledExample.DoesNotExist`."""
    example = LabelledExample.objects.select_for_update(of=("self",)).get(pk=example_id)
    example.state = LabelledExample.State.ACCEPTED if accept else LabelledExample.State.DISMISSED
    example.reviewed_by, example.reviewed_at = by, timezone.now()
    example.save()
    return example
