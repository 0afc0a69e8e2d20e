"""Packs of domains, with the sentences by which a router knows them. docs/packs.md says more."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

from pydantic import Field

from core.contracts import Contract
from routing.contracts.values import DOMAIN_KEYS
from routing.errors import PackRefused
from routing.packs.files import FILE_BYTES, values_of
from routing.packs.reading import EVERY_LANGUAGE, PackReading

FOLDER: Final = Path(__file__).parent
DIGESTS: Final = FOLDER / "digests.json"
_SHIPPED: Final = "anclora"


class DomainPack(Contract):
    """A domain. Texts are by language, under "" those for every language; examples are by fine label.

    `brings` names, for a fine label, the domains that a question of that kind is read together with. `evidence` says
    whether questions of the domain rest on evidence, `evidence_labels` where a fine label differs. Source: spec/4, 3.5.
    """

    key: str
    title: Mapping[str, str]
    use_when: Mapping[str, str] = Field(default_factory=dict)
    not_when: Mapping[str, str] = Field(default_factory=dict)
    keywords: tuple[str, ...] = ()
    examples: Mapping[str, tuple[str, ...]]
    evidence: bool = False
    evidence_labels: Mapping[str, bool] = Field(default_factory=dict)
    brings: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def title_in(self, language: str) -> str:
        """The title in a language, else in whichever there is."""
        return _in(self.title, language) or self.key

    def use_when_in(self, language: str) -> str:
        """When a question belongs here, in words; empty where the pack does not say."""
        return _in(self.use_when, language)

    def not_when_in(self, language: str) -> str:
        """What does not belong here, in words; empty where the pack does not say."""
        return _in(self.not_when, language)

    def rests_on_evidence(self, label: str = "") -> bool:
        """Whether a question of a fine label rests on evidence."""
        return self.evidence_labels.get(label, self.evidence)


class Pack(Contract):
    """A version of a pack. `outside` are sentences, by fine label, that belong to none of its domains."""

    name: str
    version: str
    domains: tuple[DomainPack, ...] = Field(min_length=2)
    outside: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def reference(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the domains, in the order of the file."""
        return tuple(domain.key for domain in self.domains)

    @property
    def content(self) -> dict[str, Any]:
        """All of it as JSON values, which `Pack.model_validate` reads back."""
        return self.model_dump(mode="json")

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of its content. The order of domains and sentences counts, no other."""
        written = json.dumps(self.content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        return hashlib.sha256(written.encode()).hexdigest()

    def domain(self, key: str) -> DomainPack:
        """Raises `KeyError` for a key that is no domain of this pack."""
        for domain in self.domains:
            if domain.key == key:
                return domain
        raise KeyError(key)

    def require_query_plan_keys(self) -> None:
        """Raises `PackRefused` unless every domain is one that a query plan can hold."""
        if others := [key for key in self.keys if key not in DOMAIN_KEYS]:
            raise PackRefused(
                "\n".join(f"domains/{key}: is not one of {', '.join(DOMAIN_KEYS)}" for key in others[:50])
            )


def pack_read(data: Mapping[str, Any], *, strict: bool = True) -> Pack:
    """The pack of the values of a file; raises `PackRefused` with every fault and its place.

    Not `strict` allows faults without harm to classifying: unknown fields, and a sentence in two domains.
    """
    return Pack(**PackReading(data, strict=strict).values())


def pack_load(path: Path | str, *, strict: bool = True) -> Pack:
    """The pack of a YAML or JSON file; raises `PackRefused`, also where there is no such file."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(FILE_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a path that has a NUL
        raise PackRefused(f"The file cannot be read: {getattr(error, 'strerror', None) or error}.") from error
    return pack_read(values_of(content), strict=strict)


@cache
def pack_shipped() -> Pack:
    """The newest version of the pack that comes with the product."""
    newest = max(FOLDER.glob(f"{_SHIPPED}-*.yaml"), key=_version_of)
    return pack_load_shipped(newest)


def pack_load_shipped(path: Path) -> Pack:
    """A pack of `FOLDER`; raises `PackRefused` for one that was changed without a new version."""
    pack = pack_load(path)
    digest = json.loads(DIGESTS.read_text(encoding="utf-8")).get(pack.reference)
    if digest is None:
        raise PackRefused(f"{pack.reference}: its digest {pack.digest} is not in {DIGESTS.name}")
    if digest != pack.digest:
        raise PackRefused(f"{pack.reference}: changed without a new version")
    if path.stem != f"{pack.name}-{pack.version}":
        raise PackRefused(f"{path.name}: holds {pack.reference}")
    return pack


def _version_of(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.stem.removeprefix(f"{_SHIPPED}-").split(".") if part.isdecimal())


def _in(texts: Mapping[str, str], language: str) -> str:
    for wanted in (language, language.split("-")[0], EVERY_LANGUAGE, "en"):
        if wanted in texts:
            return texts[wanted]
    return next(iter(texts.values()), "")
