"""Which pack a plan was made with, on record."""

from django.utils import timezone

from routing.errors import PackRefused
from routing.models import PackVersion
from routing.pack import Pack


def pack_store(pack: Pack) -> PackVersion:
    """The row of a pack, made where there is none; two at once get the same.

    Raises `PackRefused` when another pack is on record under its name and version.
    """
    row, _ = PackVersion.objects.get_or_create(
        name=pack.name,
        version=pack.version,
        defaults={"digest": pack.digest, "content": pack.content, "created_at": timezone.now()},
    )
    if row.digest != pack.digest:
        raise PackRefused(f"{pack.reference}: changed without a new version")
    return row
