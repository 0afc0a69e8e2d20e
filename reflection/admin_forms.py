"""What staff send when they review a reflection."""

import hashlib
import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.admin_tools import ReasonForm
from reflection.contracts import ANALYSIS_LENGTH, LEARNING_LENGTH, LINE_LENGTH, LINES_AT_MOST
from reflection.models import Attempt


class ReviewForm(ReasonForm):
    """A decision with its reason. `seen` is the version that somebody looked at; None for none."""

    seen = forms.IntegerField(required=False, min_value=1, max_value=32_767, widget=forms.HiddenInput)


class LinesField(forms.CharField):
    """Several short texts, one a line; empty lines and repeated ones are none."""

    widget = forms.Textarea

    def clean(self, value: Any) -> list[str]:
        lines = list(dict.fromkeys(filter(None, map(str.strip, super().clean(value).splitlines()))))
        if len(lines) > LINES_AT_MOST:
            text = _("These are %(n)s lines; at most %(most)s.")
            raise ValidationError(text, params=_most(len(lines), LINES_AT_MOST))
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_LENGTH:
                text = _("Line %(number)s has %(n)s characters; at most %(most)s.")
                raise ValidationError(text, params={"number": number, **_most(len(line), LINE_LENGTH)})
        return lines


def _most(count: int, most: int) -> dict[str, int]:
    return {"n": count, "most": most}


class EditForm(ReviewForm):
    """A reflection written anew. `judged` is the digest of the words that the gate was last seen to judge."""

    use_required_attribute = False  # what the gate says can be asked for without a reason
    analysis = forms.CharField(
        label=_("Analysis"),
        max_length=ANALYSIS_LENGTH,
        widget=forms.Textarea({"rows": 7}),
        help_text=_("The root cause: what of the strategy led to the failure, and why."),
    )
    learning = forms.CharField(
        label=_("What was learned"),
        max_length=LEARNING_LENGTH,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("What later tasks of this kind should know."),
    )
    adjustments = LinesField(
        label=_("Adjustments"),
        widget=forms.Textarea({"rows": 4}),
        required=False,
        help_text=_("One a line, such as “Add constraint: quality >= 7” or “Change priority from price to quality”."),
    )
    patterns = LinesField(
        label=_("Patterns"),
        widget=forms.Textarea({"rows": 3}),
        required=False,
        help_text=_("One a line. A pattern keeps its figures while its words stay as they are."),
    )
    judged = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    field_order = ("analysis", "learning", "adjustments", "patterns", "reason")

    def __init__(self, *arguments: Any, stores: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["reason"].required = stores

    @staticmethod
    def of(attempt: Attempt) -> dict[str, Any]:
        """What the form begins with: the attempt that counts."""
        return {
            "analysis": attempt.analysis,
            "learning": attempt.learning,
            "adjustments": "\n".join(_line(one["text"]) for one in attempt.adjustments),
            "patterns": "\n".join(_line(one["text"]) for one in attempt.patterns),
        }

    @property
    def words(self) -> dict[str, Any]:
        """What was written, once it is valid."""
        return {name: self.cleaned_data[name] for name in ("analysis", "learning", "adjustments", "patterns")}

    @property
    def digest(self) -> str:
        """Of the words and of what they are to replace."""
        said = json.dumps([self.words, self.cleaned_data["seen"]], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()


def _line(text: str) -> str:
    """A text in one line, as it can stand in the form."""
    return " ".join(text.splitlines())
