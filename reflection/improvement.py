"""Asking a model for a reflection until it is good enough. Source: RT-010, 7."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, Protocol

import structlog
from asgiref.sync import sync_to_async

from gateway.client import Model
from gateway.client.passed_models import NoSense, PassedModel, passed_complete
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from reflection.contracts import ATTEMPTS_AT_MOST, Reflection, ValidationResult
from reflection.errors import ReflectionQualityError
from reflection.quality.metrics import decision_of
from reflection.writing.attempts import AttemptMade, Attempts
from reflection.writing.coercion import failure_coerce
from reflection.writing.prompts import messages_of, prompt_of
from reflection.writing.reply_parsing import reflection_attributed, reflection_parse

_log = structlog.get_logger(__name__)
_ENDS = (MetacognitionTimeoutError, MetacognitionCostExceeded, ModelUnavailable)


class Validator(Protocol):
    """Judges attempts."""

    def validate_reflection(self, reflection: Reflection, /) -> Any: ...


class ReflectionImprovementLoop:
    """Iteratively improves a reflection, at most three times in all.

    `llm`: anything with `complete(prompt) -> str`, perhaps with `acomplete`. `validator`: anything with
    `validate_reflection`. After a run `attempts` are all that were made, with the validator's judgement; one that
    brought no reflection is an empty one, rejected.
    """

    MAX_ITERATIONS = ATTEMPTS_AT_MOST

    def __init__(self, llm: PassedModel, validator: Validator) -> None:
        self.llm, self.validator = llm, validator
        self.attempts: list[AttemptMade] = []

    def generate_quality_reflection(self, plan: Any, evaluation: Any, max_attempts: int | None = None) -> Reflection:
        """The first reflection that is valid, else the best of all, or the last where the validator does not score.
        Plans and evaluations that are not ours are shown as their text.

        Raises `ReflectionQualityError` where no reply was a reflection, and `MetacognitionTimeoutError`; an exhausted
        budget and an unavailable model end the attempts, and are raised where there is none.
        """
        run = _Run(self, plan, evaluation, max_attempts)
        for number in run.attempts:
            try:
                reflection = run.parsed(self.llm.complete(run.prompt(number)))
            except Exception as error:
                run.failed(error)
                continue
            run.judged(reflection, self.validator.validate_reflection(reflection))
        return run.best

    async def agenerate_quality_reflection(
        self, plan: Any, evaluation: Any, max_attempts: int | None = None
    ) -> Reflection:
        """`generate_quality_reflection`, awaited."""
        run = _Run(self, plan, evaluation, max_attempts)
        judge = sync_to_async(self.validator.validate_reflection, thread_sensitive=True)
        for number in run.attempts:
            try:
                reflection = run.parsed(await passed_complete(self.llm, run.prompt(number)))
            except Exception as error:
                run.failed(error)
                continue
            run.judged(reflection, await judge(reflection))
        return run.best


class _Run:
    """One run of the loop: the prompts, and the attempts that came of them."""

    def __init__(self, loop: ReflectionImprovementLoop, plan: Any, evaluation: Any, most: int | None) -> None:
        self._llm, self._failure = loop.llm, failure_coerce(plan, evaluation)
        most = min(most or loop.MAX_ITERATIONS, loop.MAX_ITERATIONS)
        self.attempts = Attempts(most=most, is_enough=lambda attempt: attempt.validation.is_valid)
        loop.attempts = self.attempts.made
        self._error: Exception | None = None
        self._is_scored = True

    def prompt(self, number: int) -> str:
        """First the standard one, then those that say what fell short; short ones for a model that costs something."""
        made = self.attempts.made
        request = self._failure, (), number, self.attempts.last, made[-1].failure if made else ""
        if isinstance(self._llm, Model):
            return "\n\n".join(message.content for message in messages_of(*request))
        return prompt_of(*request)

    def parsed(self, text: Any) -> Reflection:
        """The reflection in a reply, about this failure. Raises `NoSense`."""
        if not isinstance(text, str):
            raise NoSense(f"a model said something of the type {type(text).__name__}")
        return reflection_attributed(reflection_parse(text), self._failure)

    def failed(self, error: Exception) -> None:
        """Add an attempt that brought nothing, the last one if none can follow. Raises the error where it is not the
        model's: the end of the time, and faults of our own client.
        """
        is_ours = isinstance(self._llm, Model) and not isinstance(error, (NoSense, *_ENDS))
        if is_ours or isinstance(error, MetacognitionTimeoutError):
            raise error
        self._error, self.attempts.is_over = error, isinstance(error, _ENDS)
        reason = str(error) if isinstance(error, NoSense) else "the model failed"
        _log.warning("no reflection was said", error=type(error).__name__, reason=reason)
        self._add(Reflection(), ValidationResult(is_valid=False, quality_score=0.0), reason)

    def judged(self, reflection: Reflection, judgement: Any) -> None:
        """Add an attempt with the validator's judgement."""
        self._is_scored = self._is_scored and _score_of(judgement) is not None
        validation = _validation_of(judgement)
        score = round(validation.quality_score, 2)
        if validation.is_valid:
            _log.info("a reflection of quality was said", attempt=len(self.attempts.made) + 1, score=score)
        else:
            violations, number = len(validation.violations), len(self.attempts.made) + 1
            _log.warning("an attempt is not valid", attempt=number, score=score, violations=violations)
        self._add(reflection, validation)

    def _add(self, reflection: Reflection, validation: ValidationResult, failure: str = "") -> None:
        if failure:
            reflection = reflection_attributed(reflection, self._failure)
            validation = validation.model_copy(update={"violations": [f"No reflection: {failure}"]})
        self.attempts.made.append(AttemptMade(reflection, validation, type(self._llm).__name__, failure))

    @property
    def best(self) -> Reflection:
        """The valid attempt, else the best one, or the last where the validator does not score."""
        last = self.attempts.last
        if last is not None and last.validation.is_valid:
            return last.reflection
        if last is not None:
            _log.error("no attempt was valid: the best one is kept", attempts=len(self.attempts.made))
            return (self.attempts.best if self._is_scored else last).reflection
        if isinstance(self._error, _ENDS):
            raise self._error
        raise ReflectionQualityError("Failed to generate reflection") from self._error


def _validation_of(judgement: Any) -> ValidationResult:
    """A validator's judgement, also of its own type; a missing decision follows from the score."""
    validation = judgement if isinstance(judgement, ValidationResult) else _read(judgement)
    if "decision" in validation.model_fields_set:
        return validation
    return validation.model_copy(update={"decision": decision_of(validation.is_valid, validation.quality_score)})


def _read(judgement: Any) -> ValidationResult:
    is_valid, score = bool(_of(judgement, "is_valid")), _score_of(judgement)
    violations, metrics = _of(judgement, "violations"), _of(judgement, "metrics")
    values = metrics if isinstance(metrics, Mapping) else {}
    return ValidationResult(
        is_valid=is_valid,
        quality_score=float(is_valid) if score is None else score,
        violations=[str(violation) for violation in violations] if isinstance(violations, list | tuple) else [],
        metrics={str(name): float(value) for name, value in values.items() if _is_number(value)},
    )


def _of(judgement: Any, name: str) -> Any:
    return judgement.get(name) if isinstance(judgement, Mapping) else getattr(judgement, name, None)


def _score_of(judgement: Any) -> float | None:
    """The score that a validator gave, 0 to 1; None where it gave no number."""
    score = _of(judgement, "quality_score")
    return min(1.0, max(0.0, float(score))) if _is_number(score) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
