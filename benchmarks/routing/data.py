"""Packs and messages to measure the router with: public intents rolled up to domains, and questions of our own.

CLINC150 (CC BY 3.0) without its test parts is read from a folder beside the project; no row of it is kept here.
"""

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from routing.packs.pack import Pack, pack_read

OWN = Path(__file__).parent / "questions"


class Message(NamedTuple):
    """A message and the domain that it belongs to; None: to none of the pack's."""

    text: str
    domain: str | None


class World(NamedTuple):
    """A pack, and messages that it has not seen."""

    name: str
    pack: Pack
    messages: list[Message]


class Clinc(NamedTuple):
    """The public rows: texts by intent, which domain each intent belongs to, and texts that belong to none.

    Every second row of `val` and `outside` is for fitting, the others for measuring.
    """

    domain_of: dict[str, str]
    train: dict[str, list[str]]
    val: list[tuple[str, str]]
    outside: list[str]

    @classmethod
    def load(cls, folder: Path) -> "Clinc":
        data: dict[str, Any] = json.loads((folder / "clinc150_train_val.json").read_text(encoding="utf-8"))
        domain_of = {intent: domain for domain, intents in data["domains"].items() for intent in intents}
        train: dict[str, list[str]] = {}
        for text, intent in data["train"]:
            train.setdefault(intent, []).append(text)
        parts: Iterable[Sequence[str]] = [row for name in data if name.startswith("oos") for row in data[name]]
        outside = list(dict.fromkeys(row[0] for row in parts))
        return cls(domain_of, train, [(text, intent) for text, intent in data["val"]], outside)

    def world(
        self,
        name: str,
        *,
        examples: int | None = None,
        domains: Sequence[str] | None = None,
        listed: int = 0,
        seed: int = 0,
        fine: bool = True,
        fitting: bool = False,
    ) -> World:
        """A pack of so many `examples` an intent (None: all) over some of the domains, the others being outside it.

        `listed`: how many of what belongs nowhere the pack lists as such. Not `fine`: domains without fine labels. The
        messages are those for `fitting`, or those for measuring.
        """
        dice = random.Random(seed)
        chosen = set(domains or self.domain_of.values())
        made: dict[str, Any] = {}
        for intent, texts in self.train.items():
            if (domain := self.domain_of[intent]) in chosen:
                some = texts if examples is None else dice.sample(texts, examples)
                labels = made.setdefault(domain, {"title": domain, "examples": {}})["examples"]
                labels.setdefault(intent if fine else domain, []).extend(some)
        half = 0 if fitting else 1
        pack = {"pack": f"clinc@{name.replace(' ', '-')}", "domains": made}
        outside, other_half = self.outside[half::2], self.outside[1 - half :: 2]
        if listed:
            pack["outside"] = {"outside": dice.sample(other_half, min(listed, len(other_half)))}
        messages = [Message(text, self.domain_of[intent]) for text, intent in self.val[half::2]]
        inside = [message for message in messages if message.domain in chosen]
        others = [Message(text, None) for text in outside]
        if len(chosen) < len(set(self.domain_of.values())):
            strange = [Message(message.text, None) for message in messages if message.domain not in chosen]
            others += dice.sample(strange, min(len(strange), 300))
        return World(name, pack_read(pack, strict=False), inside + others)


def own_rows(name: str) -> list[dict[str, Any]]:
    """Rows of our own that nobody wrote the pack by: `questions`, `outside`, `two`, `three`, `lab`, `evidence`."""
    return [json.loads(line) for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
