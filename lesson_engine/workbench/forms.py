"""What staff narrow the queue, the figures and the export by, and what they decide."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lesson_engine.contracts import VerdictResult
from lesson_engine.explanations import NOT_SURE
from lesson_engine.grading import GRADER_VERSION
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, LessonVersion, VerdictReview
from lesson_engine.services.group_reviewing import MOST_OF_A_GROUP
from lesson_engine.services.reviewing import MAX_NOTE
from lesson_engine.services.words import storable
from lesson_engine.workbench.addresses import is_key
from lesson_engine.workbench.cards import RESULTS
from lesson_engine.workbench.queue import Show
from lesson_engine.workbench.reviewed import EVERYTHING, VerdictFilter

LISTED = 200
"""Lessons and versions of the grader among which one can choose; others can be reached by address."""
_LONGEST = 120
_NOT_SURE = "NOT_SURE"
"""Among the results of the grader: that it was not sure of any."""
_SHOWS: dict[Show, str | Promise] = {
    "waiting": _("All that wait: compared by learners, then doubtful, then the rest"),
    "doubtful": _("Doubtful ones"),
    "sure": _("Sure ones, the latest first"),
    "sample": _("Sure ones, at random"),
    "reviewed": _("Those that staff looked at"),
}


class VerdictsForm(forms.Form):
    """Which verdicts. Left empty, or with a fault, all."""

    lesson = forms.ChoiceField(label=_("Lesson"), required=False)
    ask = forms.ChoiceField(label=_("Question"), required=False)
    grader = forms.ChoiceField(label=_("Grader"), required=False)

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__({name: storable(data.get(name, ""))[:_LONGEST] for name in self.base_fields})
        lesson, ask, grader = (self.data[name] for name in ("lesson", "ask", "grader"))
        lessons = Lesson.objects.order_by("slug").values_list("slug", flat=True)[:LISTED]
        self._offer("lesson", _("All lessons"), [*lessons], lesson)
        self._offer("ask", _("All questions"), _codes(lesson), ask)
        if not lesson and not ask:  # codes are unique in a lesson: without one there is nothing to choose from
            del self.fields["ask"]
        graders = VerdictReview.objects.order_by("-grader").values_list("grader", flat=True).distinct()[:LISTED]
        self._offer("grader", _("All versions"), [GRADER_VERSION, *graders], grader)

    @property
    def wanted(self) -> VerdictFilter:
        """What was chosen, as far as it makes sense."""
        if not self.is_valid():
            return EVERYTHING
        return VerdictFilter.model_validate({name: value for name, value in self.chosen.items() if name != "show"})

    @property
    def chosen(self) -> dict[str, str]:
        """What was chosen by the names of the fields, for addresses."""
        if not self.is_valid():
            return {}
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    def _offer(self, name: str, all_: str | Promise, values: list[str], value: str) -> None:
        """The values, once each; also the chosen `value` when it is none of them, since a link may lead here."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", all_), *((code, code) for code in dict.fromkeys([*values, value]) if code)]


class QueueForm(VerdictsForm):
    """The same, what the grader said, and which part of the queue."""

    result = forms.ChoiceField(
        label=_("The grader said"),
        required=False,
        choices=[("", pgettext_lazy("verdicts", "Anything")), *RESULTS.items(), (_NOT_SURE, NOT_SURE)],
    )
    show = forms.ChoiceField(label=_("Show"), required=False, choices=list(_SHOWS.items()))
    field_order = ("show", "lesson", "ask", "grader", "result")

    @property
    def wanted(self) -> VerdictFilter:
        """A result is one of which the grader was sure."""
        said = self.cleaned_data.get("result") if self.is_valid() else ""
        if not said:
            return super().wanted
        result = None if said == _NOT_SURE else VerdictResult(said)
        chosen = {name: value for name, value in self.chosen.items() if name not in ("show", "result")}
        return VerdictFilter.model_validate({**chosen, "result": result, "doubtful": said == _NOT_SURE})

    @property
    def part(self) -> Show:
        chosen = self.cleaned_data.get("show") if self.is_valid() else ""
        return next((show for show in _SHOWS if show == chosen), "waiting")


class NoteField(forms.CharField):
    """A line ends with one character, as the browser counts them."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n") if isinstance(text, str) else text


class KeysField(forms.Field):
    """Primary keys of rows, each once and at most as many as a group has; a fault for anything else."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[int, ...]:
        keys = tuple(dict.fromkeys(value or ()))
        if len(keys) >= MOST_OF_A_GROUP or not all(is_key(str(key)) for key in keys):
            raise forms.ValidationError("no keys of answers")
        return tuple(map(int, keys))


class DecisionForm(forms.Form):
    """What an answer is worth. `seen` is the review that the page showed, 0 where it showed none.

    `also` are other answers that get the same decision.
    """

    result = forms.ChoiceField(choices=[(value, value) for value in VerdictResult])
    note = NoteField(required=False, max_length=MAX_NOTE)
    seen = forms.IntegerField(min_value=0, validators=[MaxValueValidator(2**63 - 1)])
    also = KeysField(required=False)

    @property
    def worth(self) -> VerdictResult:
        """What was chosen, once it is valid."""
        return VerdictResult(self.cleaned_data["result"])


class UndoForm(forms.Form):
    """Which review is taken back."""

    review = forms.IntegerField(min_value=1, validators=[MaxValueValidator(2**63 - 1)])


def _codes(slug: str) -> list[str]:
    """The questions of a lesson's latest version, in order."""
    if not slug:
        return []
    latest = LessonVersion.objects.filter(lesson__slug=slug).order_by("-number").values_list("pk", flat=True).first()
    return [*outline_of(latest).asks] if latest is not None else []
