"""The forms with which staff review a reflection."""

import hashlib
import json
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from core.admin.tools import ReasonForm
from reflection.contracts import ANALYSIS_LENGTH, LEARNING_LENGTH, LINE_LENGTH, LINES_AT_MOST
from reflection.models import Attempt


class ReviewForm(ReasonForm):
    """A decision with its reason. `seen` is the version that the reviewer saw; None for none."""

    seen = forms.IntegerField(required=False, min_value=1, max_value=32_767, widget=forms.HiddenInput)


class LinesField(forms.CharField):
    """Several short texts, one a line; empty and repeated lines are left out."""

    widget = forms.Textarea

    def clean(self, value: Any) -> list[str]:
        lines = list(dict.fromkeys(filter(None, map(str.strip, super().clean(value).splitlines()))))
        if len(lines) > LINES_AT_MOST:
            text = _("These are %(n)s lines; at most %(most)s.")
            raise ValidationError(text, params={"n": len(lines), "most": LINES_AT_MOST})
        for number, line in enumerate(lines, 1):
            if len(line) > LINE_LENGTH:
                text = _("Line %(number)s has %(n)s characters; at most %(most)s.")
                raise ValidationError(text, params={"number": number, "n": len(line), "most": LINE_LENGTH})
        return lines


class EditForm(ReviewForm):
    """A reflection written anew. `judged` is the digest of the words that the gate was last seen to judge."""

    use_required_attribute = False  # the gate judges without a reason too
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
        """The initial values of the form: the words of an attempt, each adjustment and pattern in one line."""
        adjustments, patterns = (
            "\n".join(" ".join(row["text"].splitlines()) for row in rows)
            for rows in (attempt.adjustments, attempt.patterns)
        )
        return {
            "analysis": attempt.analysis,
            "learning": attempt.learning,
            "adjustments": adjustments,
            "patterns": patterns,
        }

    @property
    def words(self) -> dict[str, Any]:
        """The words of a valid form."""
        return {name: self.cleaned_data[name] for name in ("analysis", "learning", "adjustments", "patterns")}

    @property
    def digest(self) -> str:
        """Of the words and of the version that they are to replace."""
        content = json.dumps([self.words, self.cleaned_data["seen"]], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()
