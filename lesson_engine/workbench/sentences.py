"""The page on which staff read what the tutor says to learners."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from lesson_engine.authoring.pages import author_page, shows_only
from lesson_engine.explanations.sentences import tutor_sentences
from lesson_engine.models import VerdictReview


@shows_only
def sentences(request: HttpRequest) -> HttpResponse:
    context = {"moments": tutor_sentences()}
    return author_page(request, VerdictReview, "verdictreview/sentences", _("What the tutor says"), context)
