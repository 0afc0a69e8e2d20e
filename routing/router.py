"""The router: a message becomes a query plan, whatever the message is. Source: spec/4; design.md, "Settled", 9."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final, NamedTuple, get_args

from routing.agents import agents_for
from routing.contracts import QueryPlan
from routing.contracts.reading import Reading
from routing.contracts.values import DomainHint, Mode
from routing.engine import classifier_of
from routing.engine.classifier import PART, PART_OF_FEW_WORDS
from routing.engine.confidence import coefficients
from routing.engine.text import Question, is_short, is_wordless, parts_of, question_of
from routing.errors import QueryPlanInvalid
from routing.packs.pack import Pack, pack_shipped
from routing.skills import skills_for
from routing.understanding.deciding import Decided, Wishes, decide
from routing.understanding.opinions import Opinion, OpinionAsked, opinion_of_passed
from routing.understanding.phases import Phase, lab_denied, phase_now
from routing.understanding.phrases import LAB, lab_requested, needs_evidence
from routing.understanding.rationale import rationale_of

_HINTS: Final = get_args(DomainHint)
_MODES: Final = get_args(Mode)


class Routed(NamedTuple):
    """A plan with its reading, decision, pack and phase. `warnings` are of a model without an answer; `model_used` is
    empty for none.
    """

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
    of low confidence only, and its answer is one more signal. The same message gives the same plan, but for its time.
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
        """The plan with its reading. `insists`: the asker saw a plan, and corrects it to the domain of the hint.

        `otherwise`: the language of the answer where that of the message is not clear.
        """
        _require(message, domain_hint, mode)
        question = question_of(message)
        reading, parts = self._read(message, question)
        wishes = Wishes(
            hint=domain_hint,  # type: ignore[arg-type]  # checked above
            mode=mode,  # type: ignore[arg-type]  # the same
            lab=not insists and lab_requested(message, domain_hint),
            insists=insists,
        )
        decided = decide(reading, wishes, parts=parts, brings=self._brings(reading))
        opinion = self._opinion_on(question, decided, wishes)
        if opinion is not None and opinion.domain is not None:
            decided = decide(reading, wishes, parts=parts, brings=self._brings(reading), opinion=opinion.domain)
        language = question.language or ("es" if otherwise.startswith("es") else "en")
        plan = self._plan(message, reading, decided, wishes, opinion, language)
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

    def _read(self, message: str, question: Question) -> tuple[Reading, list[str]]:
        """The message as a whole, and the domains that parts of it clearly ask about, the surest first."""
        classifier = classifier_of(self._pack)
        reading, *parts = classifier.read_together([question, *map(question_of, parts_of(question.text))])
        sure: dict[str, float] = {}
        least = PART_OF_FEW_WORDS if is_short(message) else PART
        for part in parts:
            if part.probability >= least and part.first != LAB:
                sure[part.first] = max(part.probability, sure.get(part.first, 0))
        return reading, sorted(sure, key=lambda key: -sure[key])

    def _brings(self, reading: Reading) -> Mapping[str, Sequence[str]]:
        first = self._pack.domain(reading.first)
        return {first.key: first.brings.get(reading.label, ())}

    def _opinion_on(self, question: Question, decided: Decided, wishes: Wishes) -> Opinion | None:
        """The opinion of a model, where one may be asked: the message has words, and its domain is not clear."""
        unsure = decided.confidence == "low" and wishes.hint == "auto" and not wishes.lab
        if self._opinion is None or not unsure or is_wordless(question.text):
            return None
        return self._opinion(question.text, self._pack)

    def _plan(
        self,
        message: str,
        reading: Reading,
        decided: Decided,
        wishes: Wishes,
        opinion: Opinion | None,
        language: str,
    ) -> QueryPlan:
        phase, domains = self._now, decided.domains
        # An unclear question rests on no evidence and has no agent; data to be checked need evidence still.
        understood = domains if decided.confidence != "low" else ()
        bound = phase.bound(
            evidence=needs_evidence(reading, understood, self._pack, message),
            agents=agents_for(understood, decided.mode),
            skills=skills_for(message, language),
        )
        model_asked = bool(opinion and opinion.model)
        rationale = rationale_of(reading, decided, wishes, self._pack, language=language, model_asked=model_asked)
        return QueryPlan(
            mode=decided.mode,
            domain_hint=wishes.hint,
            domains_selected=list(domains),  # type: ignore[arg-type]  # keys of a pack for query plans
            agents_selected=list(bound.agents_selected),
            needs_evidence=bound.needs_evidence,
            needs_skills=bound.needs_skills,
            lab_policy=lab_denied(requested=wishes.lab, language=language),
            rationale=rationale,
            confidence=decided.confidence,
            flags=list(decided.flags),
            timestamp=datetime.now(UTC),
        )


@cache
def router_shipped() -> Router:
    """The router of the shipped pack, which asks no model."""
    return Router()


def warm_up() -> None:
    """Read the shipped pack, which takes two seconds or three, before the first question; without the database."""
    classifier_of(pack_shipped(), cached=False)
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
        raise QueryPlanInvalid("; ".join(f"{place}: {fault}" for place, fault in faults), faults)
