"""The router: a message becomes a query plan, whatever the message is. Source: spec/4; design.md, "Settled", 9."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple, get_args

from planning.understanding import language_of
from routing.agents import agents_for
from routing.contracts import DomainHint, Mode, QueryPlan
from routing.deciding import Asked, Decided, decide
from routing.engine import classifier_of
from routing.engine.choosing import PART, PART_OF_FEW_WORDS
from routing.engine.confidence import coefficients
from routing.engine.parts import is_short, parts_of
from routing.engine.text import is_wordless, message_read
from routing.errors import QueryPlanInvalid
from routing.evidence import needs_evidence
from routing.lab import LAB, lab_requested
from routing.opinions import Opinion, OpinionAsked, opinion_of_passed
from routing.pack import Pack, pack_shipped
from routing.phases import Phase, lab_denied, phase_now
from routing.rationale import rationale_of
from routing.reading import Reading
from routing.skills import skills_for

_HINTS: Final = get_args(DomainHint)
_MODES: Final = get_args(Mode)


class Routed(NamedTuple):
    """A plan, what was read, and what made it. `warnings`: what was tried in vain; `model_used` is empty for none."""

    plan: QueryPlan
    reading: Reading
    decided: Decided
    language: str
    pack: Pack
    phase: Phase
    model_used: str = ""
    warnings: tuple[str, ...] = ()


class Router:
    """Makes query plans. What is left out comes from the settings: the shipped pack, the phase, and no model.

    `llm` is anything with `complete(prompt) -> str`; `opinion` asks one in another way. Either is asked about messages
    of low confidence only, and what it says is one more signal. The same message gives the same plan, but for its time.
    """

    def __init__(
        self,
        pack: Pack | None = None,
        llm: Any = None,
        phase: Phase | None = None,
        *,
        opinion: OpinionAsked | None = None,
    ) -> None:
        self._pack = pack or pack_shipped()
        self._pack.require_query_plan_keys()
        self._phase = phase
        self._opinion = opinion_of_passed(llm) if llm is not None else opinion

    @property
    def version(self) -> str:
        """Of the router's own rules and coefficients."""
        return coefficients().version

    def route(self, message: str, domain_hint: str = "auto", mode: str | None = None) -> QueryPlan:
        """The plan for a message. Any text gives one; raises `QueryPlanInvalid` for a hint or mode that is none."""
        return self.routed(message, domain_hint, mode).plan

    def routed(
        self,
        message: str,
        domain_hint: str = "auto",
        mode: str | None = None,
        *,
        insists: bool = False,
        otherwise: str = "en",
    ) -> Routed:
        """The plan and how it came about. `insists`: the asker saw a plan, and says that the hint is the domain.

        `otherwise`: the language to answer in where the message does not tell its own.
        """
        _require(message, domain_hint, mode)
        reading, parts = self._read(message)
        asked = Asked(
            hint=domain_hint,  # type: ignore[arg-type]  # checked above
            mode=mode,  # type: ignore[arg-type]  # the same
            lab=not insists and lab_requested(message, domain_hint),
            insists=insists,
        )
        decided = decide(reading, asked, parts=parts, brings=self._brings(reading))
        opinion = self._asked(message, reading, decided, asked)
        if opinion is not None and opinion.domain is not None:
            decided = decide(reading, asked, parts=parts, brings=self._brings(reading), opinion=opinion.domain)
        language = language_of(message_read(message), otherwise="es" if otherwise.startswith("es") else "en")
        plan = self._plan(message, reading, decided, asked, opinion, language)
        return Routed(
            plan=plan,
            reading=reading,
            decided=decided,
            language=language,
            pack=self._pack,
            phase=self._now,
            model_used=opinion.model if opinion else "",
            warnings=opinion.warnings if opinion else (),
        )

    def prepare(self, messages: Sequence[str]) -> None:
        """Read a chunk at once, for those who route them one by one next."""
        classifier_of(self._pack).prepare(messages)

    @property
    def _now(self) -> Phase:
        return self._phase or phase_now()

    def _read(self, message: str) -> tuple[Reading, list[str]]:
        """The message as a whole, and the domains that parts of it clearly ask about, the surest first."""
        classifier = classifier_of(self._pack)
        reading, *parts = classifier.read_together([message, *parts_of(message_read(message))])
        found: dict[str, float] = {}
        least = PART_OF_FEW_WORDS if is_short(message) else PART
        for part in parts:
            if part.probability >= least and part.first != LAB:
                found[part.first] = max(part.probability, found.get(part.first, 0))
        return reading, sorted(found, key=lambda key: -found[key])

    def _brings(self, reading: Reading) -> Mapping[str, Sequence[str]]:
        first = self._pack.domain(reading.first)
        return {first.key: first.brings.get(reading.label, ())}

    def _asked(self, message: str, reading: Reading, decided: Decided, asked: Asked) -> Opinion | None:
        """What a model says, where one may be asked: the message has words, and nothing else tells what it is about."""
        unsure = decided.confidence == "low" and asked.hint == "auto" and not asked.lab
        if self._opinion is None or not unsure or is_wordless(message_read(message)):
            return None
        return self._opinion(message, self._pack)

    def _plan(
        self,
        message: str,
        reading: Reading,
        decided: Decided,
        asked: Asked,
        opinion: Opinion | None,
        language: str,
    ) -> QueryPlan:
        phase, domains = self._now, decided.domains
        # What is not understood rests on nothing, and nobody can help with it; data to be checked need evidence still.
        understood = domains if decided.confidence != "low" else ()
        bound = phase.bound(
            evidence=needs_evidence(reading, understood, self._pack, message),
            agents=agents_for(understood, decided.mode),
            skills=skills_for(message, language),
        )
        said = rationale_of(
            reading,
            decided,
            asked,
            self._pack,
            language=language,
            model_asked=bool(opinion and opinion.model),
        )
        return QueryPlan(
            mode=decided.mode,
            domain_hint=asked.hint,
            domains_selected=list(domains),  # type: ignore[arg-type]  # keys of a pack for query plans
            agents_selected=list(bound.agents_selected),
            needs_evidence=bound.needs_evidence,
            needs_skills=bound.needs_skills,
            lab_policy=lab_denied(requested=asked.lab, language=language),
            rationale=said,
            confidence=decided.confidence,
            flags=list(decided.flags),
            timestamp=datetime.now(UTC),
        )


@cache
def router_shipped() -> Router:
    """The router of the shipped pack, which asks no model."""
    return Router()


def warm_up() -> None:
    """Read the shipped pack now (two seconds or three) instead of in front of whoever asks first.

    The database is not asked: a server that starts must not wait for it.
    """
    classifier_of(pack_shipped(), kept=False)
    router_shipped().route("Andamio")


def _require(message: Any, domain_hint: Any, mode: Any) -> None:
    faults = []
    if not isinstance(message, str):
        faults.append(("/message", "must be text"))
    if domain_hint not in _HINTS:
        faults.append(("/domain_hint", f"must be one of {', '.join(_HINTS)}"))
    if mode is not None and mode not in _MODES:
        faults.append(("/mode", f"must be one of {', '.join(_MODES)}, or left out"))
    if faults:
        raise QueryPlanInvalid("; ".join(f"{place}: {said}" for place, said in faults), faults)
