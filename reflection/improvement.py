"""Asking a model for a reflection until it is good enough. Source: RT-010, 7."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Protocol

import structlog
from asgiref.sync import sync_to_async

from gateway.door import Model
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.passed_models import NoSense, PassedModel, passed_complete
from reflection.attempts import AttemptMade, best_of
from reflection.contracts import ATTEMPTS_AT_MOST, Reflection, ValidationResult
from reflection.errors import ReflectionQualityError
from reflection.failure import Failure
from reflection.foreign import failure_of
from reflection.prompts import messages_of, prompt_of
from reflection.quality.metrics import decision_of
from reflection.said import reflection_about, reflection_said

_log = structlog.get_logger(__name__)
_ENDS = (MetacognitionTimeoutError, MetacognitionCostExceeded, ModelUnavailable)


class Validator(Protocol):
    """What judges an attempt."""

    def validate_reflection(self, reflection: Reflection, /) -> Any: ...


class ReflectionImprovementLoop:
    """Iteratively improves a reflection, at most three times in all.

    `llm`: anything with `complete(prompt) -> str`, perhaps with `acomplete`. `validator`: anything with
    `validate_reflection`. After a run `attempts` are all that were made, with what the validator said; one that brought
    no reflection is an empty one, rejected.
    """

    MAX_ITERATIONS = ATTEMPTS_AT_MOST

    def __init__(self, llm: PassedModel, validator: Validator) -> None:
        self.llm, self.validator = llm, validator
        self.attempts: list[AttemptMade] = []

    def generate_quality_reflection(self, plan: Any, evaluation: Any, max_attempts: int | None = None) -> Reflection:
        """The first reflection that is valid, else the best of all, or the last where the validator does not score.
        Plans and evaluations that are not ours are shown as their text.

        Raises `ReflectionQualityError` where none was said at all, and `MetacognitionTimeoutError`; money that is gone
        and a model that is away end the attempts, and are raised where there is none.
        """
        run = self._begin(plan, evaluation)
        for attempt in self._numbers(max_attempts):
            prompt = run.prompt(attempt)
            try:
                said = run.heard(self.llm.complete(prompt))
            except Exception as error:
                if run.failed(error):
                    break
                continue
            if run.judged(attempt, said, self.validator.validate_reflection(said)):
                return said
        return run.best

    async def agenerate_quality_reflection(
        self, plan: Any, evaluation: Any, max_attempts: int | None = None
    ) -> Reflection:
        """`generate_quality_reflection`, awaited."""
        run = self._begin(plan, evaluation)
        judge = sync_to_async(self.validator.validate_reflection, thread_sensitive=True)
        for attempt in self._numbers(max_attempts):
            prompt = run.prompt(attempt)
            try:
                said = run.heard(await passed_complete(self.llm, prompt))
            except Exception as error:
                if run.failed(error):
                    break
                continue
            if run.judged(attempt, said, await judge(said)):
                return said
        return run.best

    def _begin(self, plan: Any, evaluation: Any) -> "_Run":
        self.attempts = []
        return _Run(self.llm, failure_of(plan, evaluation), self.attempts)

    def _numbers(self, max_attempts: int | None) -> range:
        return range(1, min(max_attempts or self.MAX_ITERATIONS, self.MAX_ITERATIONS) + 1)


class _Run:
    """One run: what is asked, and what came of it."""

    def __init__(self, llm: PassedModel, failure: Failure, attempts: list[AttemptMade]) -> None:
        self._llm, self._failure, self._attempts = llm, failure, attempts
        self._said: list[AttemptMade] = []
        self._refused = ""
        self._error: Exception | None = None
        self._is_scored = True

    def prompt(self, attempt: int) -> str:
        """First the standard one, then those that say what fell short. To a model that costs something, short ones."""
        before = self._said[-1] if self._said else None
        if isinstance(self._llm, Model):
            messages = messages_of(self._failure, (), attempt, before, self._refused)
            return "\n\n".join(message.content for message in messages)
        return prompt_of(self._failure, (), attempt, before, self._refused)

    def heard(self, text: Any) -> Reflection:
        """What was said, about this failure. Raises `NoSense`."""
        if not isinstance(text, str):
            raise NoSense(f"a model said something of the type {type(text).__name__}")
        return reflection_about(reflection_said(text), self._failure)

    def failed(self, error: Exception) -> bool:
        """Note an attempt that brought nothing. True where nothing can come any more. Raises what is no answer to it:
        the time that is over, and faults of our own door.
        """
        is_ours = isinstance(self._llm, Model) and not isinstance(error, (NoSense, *_ENDS))
        if is_ours or isinstance(error, MetacognitionTimeoutError):
            raise error
        self._error = error
        self._refused = str(error) if isinstance(error, NoSense) else "the model failed"
        _log.warning("no reflection was said", error=type(error).__name__, reason=self._refused)
        nothing = reflection_about(Reflection(), self._failure)
        found = ValidationResult(is_valid=False, quality_score=0.0, violations=[f"No reflection: {self._refused}"])
        self._attempts.append(AttemptMade(nothing, found, self._name))
        return isinstance(error, _ENDS)

    def judged(self, attempt: int, said: Reflection, found: Any) -> bool:
        """Note what the validator said. True where it is valid."""
        made = AttemptMade(said, _validation_of(found), self._name)
        self._is_scored = self._is_scored and _score_of(found) is not None
        self._refused = ""
        self._attempts.append(made)
        self._said.append(made)
        score = round(made.validation.quality_score, 2)
        if made.validation.is_valid:
            _log.info("a reflection of quality was said", attempt=attempt, score=score)
            return True
        _log.warning(
            "an attempt is not valid", attempt=attempt, score=score, violations=len(made.validation.violations)
        )
        return False

    @property
    def best(self) -> Reflection:
        """The best attempt of a run that brought no valid one."""
        if self._said:
            _log.error("no attempt was valid: the best one is kept", attempts=len(self._attempts))
            return (best_of(self._said) if self._is_scored else self._said[-1]).reflection
        if isinstance(self._error, _ENDS):
            raise self._error
        raise ReflectionQualityError("Failed to generate reflection") from self._error

    @property
    def _name(self) -> str:
        return type(self._llm).__name__


def _validation_of(said: Any) -> ValidationResult:
    """What a validator said, also one of its own kind; one that says nothing of a decision has it from the score."""
    found = said if isinstance(said, ValidationResult) else _read(said)
    if "decision" in found.model_fields_set:
        return found
    return found.model_copy(update={"decision": decision_of(found.is_valid, found.quality_score)})


def _read(said: Any) -> ValidationResult:
    is_valid, score = bool(_of(said, "is_valid")), _score_of(said)
    violations, metrics = _of(said, "violations"), _of(said, "metrics")
    values = metrics if isinstance(metrics, Mapping) else {}
    return ValidationResult(
        is_valid=is_valid,
        quality_score=float(is_valid) if score is None else score,
        violations=[str(one) for one in violations] if isinstance(violations, list | tuple) else [],
        metrics={str(name): float(value) for name, value in values.items() if _is_number(value)},
    )


def _of(said: Any, name: str) -> Any:
    return said.get(name) if isinstance(said, Mapping) else getattr(said, name, None)


def _score_of(said: Any) -> float | None:
    """The score that a validator gave, 0 to 1; None where it gave no number."""
    score = _of(said, "quality_score")
    return min(1.0, max(0.0, float(score))) if _is_number(score) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
