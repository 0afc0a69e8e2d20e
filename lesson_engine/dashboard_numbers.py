"""The big numbers on top of the dashboard."""

from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from lesson_engine.contracts import VerdictResult
from telemetry.contracts import EventName
from telemetry.panels import Figures, Filters, Number, dollars, percent, whole

COURSE_PREFIX = "course:"  # of what staff choose: a course of several lessons; without it, one lesson


def started(figures: Figures) -> Number:
    """How many sessions began."""
    return Number(whole(figures.counts("sessions").get(EventName.SESSION_STARTED, 0)))


def finished(figures: Figures) -> Number:
    """How many were finished, also of those that began earlier."""
    counts = figures.counts("sessions")
    done, begun = counts.get(EventName.SESSION_FINISHED, 0), counts.get(EventName.SESSION_STARTED, 0)
    note = _("%(share)s of those started") % {"share": percent(done, begun)} if begun else ""
    return Number(whole(done), note)


def accepted_at_first(figures: Figures) -> Number:
    """Of questions that got an answer: the share whose first one was right."""
    counts = figures.counts("first_answers")
    right, all_ = counts.get(VerdictResult.ACCEPT, 0), sum(counts.values())
    note = _("%(right)s of %(all)s questions") % {"right": whole(right), "all": whole(all_)} if all_ else ""
    return Number(percent(right, all_), note)


def doubtful(figures: Figures) -> Number:
    """Verdicts the grader was unsure of."""
    found, verdicts = sum(figures.counts("doubtful").values()), sum(figures.counts("verdicts").values())
    note = _("%(share)s of all verdicts") % {"share": percent(found, verdicts)} if verdicts else ""
    return Number(whole(found), note, sessions_url(figures.filters, doubtful="yes") if found else "")


def dead_ends(figures: Figures) -> Number:
    """How often the attempts of a question ran out."""
    questions = figures.of("dead_ends", "course", "label")
    found = sum(cell.count for cell in questions)
    note = _("questions: %(n)s") % {"n": whole(len(questions))} if found else ""
    return Number(whole(found), note, sessions_url(figures.filters, dead_ends="yes") if found else "")


def cost(figures: Figures) -> Number:
    """What models cost; rules and the local embedder cost nothing."""
    spent = sum(cell.total for cell in figures.of("cost", "label"))
    if not spent:
        return Number(dollars(spent), _("no model was asked"))
    days = figures.filters.model_dump(mode="json", include={"since", "until"})
    return Number(dollars(spent), url=f"{reverse('gateway:money')}?{urlencode(days)}")


def sessions_url(filters: Filters, *, lesson: str = "", **more: str) -> str:
    """The list of sessions by course or lesson, mode, and what the link is about.

    Not by days: the list has the day a session began, and what happened may have happened later.
    """
    course = filters.course if filters.course.startswith(COURSE_PREFIX) and not lesson else ""
    chosen = {
        "course": course.removeprefix(COURSE_PREFIX),
        "lesson": lesson or ("" if course else filters.course),
        "mode__exact": filters.mode,
        **more,
    }
    query = urlencode({name: value for name, value in chosen.items() if value})
    return f"{reverse('admin:lesson_engine_session_changelist')}?{query}"
