"""What staff may do with a question and its answers: it was reported or withdrawn, or an answer was looked at again."""

from django.utils.translation import gettext as _

from lesson_engine.player.state import AskRecord, Notice


def second_look_headline(notice: Notice, *, left: bool) -> str:
    """Empty where none of it happened. `left`: it is about a question that is not the one shown."""
    if notice.reviewed:
        return _reviewed_headline(notice, left=left)
    if notice.reported:
        return _("Thank you. Your report has been sent.")
    if notice.closed_as == "voided":
        return _("The question you left was withdrawn.") if left else _("This question was withdrawn.")
    return ""


def second_look_text(notice: Notice, record: AskRecord, *, left: bool) -> str:
    """What becomes of the question; empty where none of it happened."""
    if notice.reviewed:
        return _reviewed_text(notice, record, left=left)
    if notice.closed_as == "voided":
        if left:
            return _("The question itself was not right. It does not count in your result, and it will not come back.")
        return _("The question itself was not right. It does not count in your result, and you need not answer it.")
    if not notice.reported:
        return ""
    if notice.closed_as == "reported":
        return _(
            "Somebody will look at this question. It cost you no attempt, and you can go on. Until that is decided it "
            "counts as not answered; if the question is wrong, it is taken out of your result."
        )
    return _(
        "Somebody will look at this question. Until that is decided your result stays as it is; if the question is "
        "wrong, it is taken out of your result."
    )


def _reviewed_headline(notice: Notice, *, left: bool) -> str:
    if notice.closed_as != "mastered":
        return _("Your teacher looked at your answer again.")
    if left:
        return _("Your teacher looked at your answer to the question you left, and accepted it.")
    return _("Your teacher looked at your answer again and accepted it.")


def _reviewed_text(notice: Notice, record: AskRecord, *, left: bool) -> str:
    if notice.closed_as == "mastered" and left:
        return _("It counts as answered, and the question will not come back.")
    if notice.spared:
        return _settled_text(is_open=notice.closed_as == "open")
    return {
        "mastered": _("It counts as answered, and you can go on."),
        "missed": _missed_text(by_own_word=record.own_word == "yes"),
        "open": _("Your attempts were counted again. You can still answer the question."),
    }.get(notice.closed_as, _("The question counts as it did before."))


def _settled_text(*, is_open: bool) -> str:
    """Staff looked at an answer of which the grader was not sure, and it was not right."""
    if is_open:
        return _("It is not quite right yet. It cost you no attempt, and you can try again.")
    return _("It is not quite right. It cost you no attempt; here is the answer to compare.")


def _missed_text(*, by_own_word: bool) -> str:
    """An answer that counted as right is not. By the learner's own word, the grader had overlooked nothing."""
    if by_own_word:
        return _("It is not quite right, so it does not count as answered. Here is the answer to compare.")
    return _(
        "It is not quite right after all. That was our slip, not yours. It does not count as answered; here is the"
        " answer to compare."
    )
