"""What docs/packs.md and docs/query-plan-v1.md show is so."""

import re
from pathlib import Path

from django.conf import settings

from routing.contracts import QueryPlan
from routing.packs.files import values_of
from routing.packs.pack import DomainPack, Pack, pack_read
from routing.schemas.files import SCHEMAS, schema_path
from routing.understanding.flags import KNOWN_FLAGS
from tests.routing.contracts.schemas import schema_address

DOCS = Path(settings.BASE_DIR) / "docs"


def test_the_whole_small_pack_of_the_page_can_be_used() -> None:
    example = re.search(r"```yaml\n(.*?)```", (DOCS / "packs.md").read_text(), re.S)
    assert example is not None
    pack = pack_read(values_of(example[1].encode()))
    assert (pack.reference, pack.keys) == ("garden@1.0.0", ("plants", "tools"))
    assert {label for domain in pack.domains for label in domain.examples} == {"watering", "pruning", "tools"}


def test_the_page_names_every_field_of_a_pack() -> None:
    page = (DOCS / "packs.md").read_text()
    fields = (set(DomainPack.model_fields) | set(Pack.model_fields)) - {"key", "name", "version"}
    assert [field for field in fields if f"`{field}`" not in page] == []


def test_section_7_the_versioning_page_names_every_field_flag_and_schema() -> None:
    page = (DOCS / "query-plan-v1.md").read_text()
    named = {*QueryPlan.model_fields, *KNOWN_FLAGS, *map(schema_address, SCHEMAS)}
    named |= {f"routing/schemas/{schema_path(name).name}" for name in SCHEMAS}
    assert [name for name in named if f"`{name}`" not in page] == []
    assert "v1 is never overwritten" in page
