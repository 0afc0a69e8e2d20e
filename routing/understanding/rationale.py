"""The reasons for a plan, in the asker's language, in at most ten lines. Source: spec/4, 3.8.

They quote keywords and examples of the pack and never the message: a plan is kept for good, the asker's words are not.
"""

from collections.abc import Mapping
from typing import Final

from language.detect import language_of
from routing.contracts.reading import Reading
from routing.contracts.values import RATIONALE_LINES
from routing.packs.pack import Pack
from routing.understanding.deciding import Decided, HintRead, Wishes

_KEYWORDS: Final = 4
_QUOTED: Final = 320

_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "intent": "Your question is about {domain}: {use}",
        "intent_bare": "Your question is about {domain}.",
        "unclear": "It is not clear what your question is about. The nearest domain is {domain}.",
        "keywords": "Words that pointed there: {words}.",
        "example": "It is like this example: “{example}”.",
        "beside": "Also included, since part of it asks about it: {domains}.",
        "near": "Also included, since the question may be about it as well: {domains}.",
        "brought": "Also included, since such decisions are looked at together with it: {domains}.",
        "hint_respected": "You chose {hint}, and the plan follows that.",
        "hint_expanded": "You chose {hint}; the plan follows that and adds what else the question touches.",
        "hint_overridden": "You chose {hint}, but the question clearly belongs to {domain}.",
        "hint_doubted": "You chose {hint}, but the question is more likely about {domain}.",
        "hint_unknown": "You chose {hint}, which this pack does not have.",
        "hint_insists": "You said that it is about {hint}, and the plan follows that.",
        "lab": "You asked for the laboratory, which is closed; without it, this comes nearest.",
        "lab_near": "It comes near to the laboratory, which no question opens by itself.",
        "forced": "A fast analysis holds two domains at most; this needs a deep one.",
        "clarify": "Ask again in other words, or say more, and the plan will be surer.",
        "model": "A language model was asked as well, since the words alone did not decide it.",
        "and": "and",
    },
    "es": {
        "intent": "Tu pregunta trata de {domain}: {use}",
        "intent_bare": "Tu pregunta trata de {domain}.",
        "unclear": "No queda claro de qué trata tu pregunta. El dominio más cercano es {domain}.",
        "keywords": "Palabras que lo indican: {words}.",
        "example": "Se parece a este ejemplo: «{example}».",
        "beside": "También se incluye, porque una parte pregunta por ello: {domains}.",
        "near": "También se incluye, porque la pregunta puede tratar de ello: {domains}.",
        "brought": "También se incluye, porque estas decisiones se miran junto con ello: {domains}.",
        "hint_respected": "Elegiste {hint}, y el plan lo respeta.",
        "hint_expanded": "Elegiste {hint}; el plan lo respeta y añade lo demás que toca la pregunta.",
        "hint_overridden": "Elegiste {hint}, pero la pregunta es claramente de {domain}.",
        "hint_doubted": "Elegiste {hint}, pero es más probable que la pregunta trate de {domain}.",
        "hint_unknown": "Elegiste {hint}, que este paquete no tiene.",
        "hint_insists": "Dijiste que trata de {hint}, y el plan lo respeta.",
        "lab": "Pediste el laboratorio, que está cerrado; sin él, esto es lo más cercano.",
        "lab_near": "Se acerca al laboratorio, que ninguna pregunta abre por sí sola.",
        "forced": "Un análisis rápido admite dos dominios como máximo; este necesita ser profundo.",
        "clarify": "Pregunta con otras palabras o cuenta algo más, y el plan será más seguro.",
        "model": "También se consultó a un modelo de lenguaje, porque las palabras solas no decidían.",
        "and": "y",
    },
}


def rationale_of(
    reading: Reading, decided: Decided, wishes: Wishes, pack: Pack, *, language: str, model_asked: bool = False
) -> str:
    """The reasons for the domains, the signals, and the fate of the hint."""
    say = _Words(pack, language)
    first = decided.about
    lines = [
        *_intent(reading, decided, say, pack),
        *_decisive(reading, first, say, clear=decided.confidence != "low"),
        *_companions(decided, say),
        *_hint(decided, wishes, say),
    ]
    if wishes.lab:
        lines.append(say("lab"))
    elif reading.first == "lab" and decided.confidence != "low":
        lines.append(say("lab_near"))
    if "mode-forced-deep" in decided.flags:
        lines.append(say("forced"))
    if model_asked:
        lines.append(say("model"))
    if "needs-clarification" in decided.flags:
        lines.append(say("clarify"))
    return "\n".join(lines[:RATIONALE_LINES])


class _Words:
    """Texts and titles in a language; English for others than Spanish."""

    def __init__(self, pack: Pack, language: str) -> None:
        self._pack = pack
        self.language = language if language in _TEXTS else "en"

    def __call__(self, name: str, **values: str) -> str:
        return _TEXTS[self.language][name].format(**values)

    def title(self, key: str) -> str:
        """A domain's title, quoted, on one line; its key where the pack does not have it."""
        title = _line(self._pack.domain(key).title_in(self.language) if key in self._pack.keys else key)
        return f"“{title}”" if self.language == "en" else f"«{title}»"

    def titles(self, keys: tuple[str, ...]) -> str:
        *others, last = (self.title(key) for key in keys)
        return f" {_TEXTS[self.language]['and']} ".join(filter(None, (", ".join(others), last)))


def _intent(reading: Reading, decided: Decided, say: _Words, pack: Pack) -> list[str]:
    first = decided.about
    if decided.confidence == "low":
        return [say("unclear", domain=say.title(first))]
    use = _line(pack.domain(first).use_when_in(say.language)) if first in pack.keys else ""
    return [say("intent", domain=say.title(first), use=use) if use else say("intent_bare", domain=say.title(first))]


def _decisive(reading: Reading, first: str, say: _Words, *, clear: bool) -> list[str]:
    """Keywords of the first domain in the message, and its nearest example."""
    words = [_line(hit.keyword) for hit in reading.found if hit.domain == first][:_KEYWORDS]
    lines = [say("keywords", words=", ".join(f'"{word}"' for word in words))] if words else []
    own = [example for example in reading.nearest if example.domain == first]
    if not own or not clear:
        return lines
    nearest = next((example for example in own if language_of(example.text) == say.language), own[0])
    return [*lines, say("example", example=_line(nearest.text))]


def _companions(decided: Decided, say: _Words) -> list[str]:
    beside = decided.beside
    near = tuple(key for key in decided.near if key not in beside)
    groups = (("beside", beside), ("near", near), ("brought", decided.brought))
    return [say(name, domains=say.titles(keys)) for name, keys in groups if keys]


def _hint(decided: Decided, wishes: Wishes, say: _Words) -> list[str]:
    if decided.hint in (HintRead.NONE, HintRead.LAB):
        return []
    name = "hint_insists" if wishes.insists else f"hint_{decided.hint.value}"
    if decided.hint is HintRead.OVERRIDDEN and decided.confidence != "high":
        name = "hint_doubted"
    return [say(name, hint=say.title(wishes.hint), domain=say.title(decided.about))]


def _line(text: str) -> str:
    """On one line, and not too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _QUOTED else f"{flat[: _QUOTED - 1].rstrip()}…"
