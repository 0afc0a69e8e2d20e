"""Answers that a client need not be sent twice."""

import hashlib

from django.http import HttpResponse

from core.api import ApiView
from core.contracts import Contract


def answer_unless_known(view: ApiView, value: Contract) -> HttpResponse:
    """The value with an ETag of its content, or 304 for a client that names this ETag.

    Of the content, not of a version: the same session reads differently in another language, and its money may move
    within a version.
    """
    etag = hashlib.sha256(value.model_dump_json().encode()).hexdigest()[:32]
    return view.conditional(f'"{etag}"', lambda: view.answer(value))
