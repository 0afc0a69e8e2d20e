"""The numbers and the panels of the dashboard: counts put into rows and bars."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from lesson_engine.contracts import VerdictResult
from telemetry.contracts import EventName
from telemetry.panels import (
    Bars,
    Figures,
    Filters,
    Linked,
    Number,
    Series,
    Table,
    TableCell,
    Tone,
    View,
    dollars,
    percent,
    timeline_view,
    whole,
)

COURSE_PREFIX = "course:"  # of what staff choose: a course of several lessons; without it, one lesson
BARS_SHOWN = 12  # of what is listed by name; the table has all
_RESULTS: dict[str, tuple[Promise, Tone]] = {
    "ACCEPT": (gettext_lazy("Right"), "good"),
    "PARTIAL": (gettext_lazy("Partly right"), "partial"),
    "REJECT": (gettext_lazy("Not right"), "bad"),
    "NOT_SURE": (pgettext_lazy("verdict", "Not sure"), "second"),
    "NOT_GRADABLE": (gettext_lazy("Not judged"), "quiet"),
}
_DEVIATIONS: dict[str, tuple[Promise, Tone]] = {
    "ON_TOPIC": (gettext_lazy("On topic"), "good"),
    "VAGUE": (gettext_lazy("Vague"), "partial"),
    "OFF_TOPIC": (gettext_lazy("Off topic"), "bad"),
}
_OWN_WORDS: dict[str, tuple[Promise, Tone]] = {
    "ACCEPT": (gettext_lazy("Yes, that's it"), "good"),
    "PARTIAL": (gettext_lazy("Partly"), "partial"),
    "REJECT": (gettext_lazy("No"), "bad"),
}
_OPERATIONS = {
    "reask": gettext_lazy("Asked again"),
    "hint": gettext_lazy("Gave a hint"),
    "goto": gettext_lazy("Went to another question"),
    "repeat": gettext_lazy("Opened the reading again"),
    "insert_micro": gettext_lazy("Put in a micro-step"),
}


def started(figures: Figures) -> Number:
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
    doubtful, verdicts = sum(figures.counts("doubtful").values()), sum(figures.counts("verdicts").values())
    note = _("%(share)s of all verdicts") % {"share": percent(doubtful, verdicts)} if verdicts else ""
    return Number(whole(doubtful), note, sessions_url(figures.filters, doubtful="yes") if doubtful else "")


def dead_ends(figures: Figures) -> Number:
    """How often the attempts of a question ran out."""
    questions = figures.of("dead_ends", "course", "label")
    times = sum(cell.count for cell in questions)
    note = _("questions: %(n)s") % {"n": whole(len(questions))} if times else ""
    return Number(whole(times), note, sessions_url(figures.filters, dead_ends="yes") if times else "")


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


def sessions_view(figures: Figures) -> View | None:
    """Started and finished, side by side."""
    names: dict[str, tuple[Promise, Tone]] = {
        EventName.SESSION_STARTED: (gettext_lazy("Started"), "first"),
        EventName.SESSION_FINISHED: (gettext_lazy("Finished"), "good"),
    }
    series = [Series(name, figures.over_time("sessions", label), tone) for label, (name, tone) in names.items()]
    started, finished = (sum(line.values) for line in series)
    summary = _("Started: %(started)s; finished: %(finished)s.")
    return timeline_view(figures, series, summary % {"started": whole(started), "finished": whole(finished)})


def own_words_view(figures: Figures) -> View | None:
    """Yes, partly and no, day by day."""
    series = [Series(name, figures.over_time("own_words", label), tone) for label, (name, tone) in _OWN_WORDS.items()]
    yes, all_ = sum(series[0].values), sum(sum(line.values) for line in series)
    summary = ngettext(
        "%(all)s answer was compared; of %(share)s the learner said that it is right.",
        "%(all)s answers were compared; of %(share)s the learners said that they are right.",
        all_,
    )
    text = summary % {"all": whole(all_), "share": percent(yes, all_)}
    return timeline_view(figures, series, text, stacked=True)


def deviations_view(figures: Figures) -> View | None:
    """On topic, vague and off topic, on top of one another."""
    series = [Series(name, figures.over_time("deviations", label), tone) for label, (name, tone) in _DEVIATIONS.items()]
    on_topic, all_ = sum(series[0].values), sum(sum(line.values) for line in series)
    summary = _("%(share)s of %(all)s answers were on topic.")
    return timeline_view(
        figures, series, summary % {"share": percent(on_topic, all_), "all": whole(all_)}, stacked=True
    )


def watch_view(figures: Figures) -> View | None:
    """What staff should look at, day by day."""
    series = [
        Series(gettext_lazy("Doubtful"), figures.over_time("doubtful"), "partial"),
        Series(gettext_lazy("Attack-like"), figures.over_time("attacks"), "bad"),
    ]
    doubtful, attacks = (sum(line.values) for line in series)
    summary = _("%(doubtful)s verdicts were doubtful, %(attacks)s answers looked like an attack.")
    return timeline_view(figures, series, summary % {"doubtful": whole(doubtful), "attacks": whole(attacks)})


def verdicts_view(figures: Figures) -> View | None:
    """Rules from the most used one on, each with its results."""
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for label, count in figures.counts("verdicts").items():
        rule, _bar, result = label.rpartition("|")
        rules[rule][result] += count
    if not rules:
        return None
    ordered = sorted(rules, key=lambda rule: (-rules[rule].total(), rule))
    columns = [gettext_lazy("Rule"), *(name for name, _tone in _RESULTS.values()), gettext_lazy("Together")]
    rows: list[Sequence[TableCell]] = [
        [rule, *(rules[rule][result] for result in _RESULTS), rules[rule].total()] for rule in ordered
    ]
    shown = ordered[:BARS_SHOWN]
    series = [Series(name, [rules[rule][result] for rule in shown], tone) for result, (name, tone) in _RESULTS.items()]
    all_ = sum(results.total() for results in rules.values())
    summary = ngettext(
        "%(n)s verdict; the rule used most is %(rule)s.", "%(n)s verdicts; the rule used most is %(rule)s.", all_
    )
    names = {"n": whole(all_), "rule": ordered[0]}
    return View(summary % names, Table(columns, rows), Bars(shown, series, stacked=True, sideways=True))


def dead_ends_view(figures: Figures) -> View | None:
    """Questions from the worst one on, each with a link to the sessions where it happened."""
    cells = sorted(figures.of("dead_ends", "course", "label"), key=lambda cell: (-cell.count, cell.course, cell.label))
    if not cells:
        return None
    rows: list[Sequence[TableCell]] = []
    for cell in cells:
        url = sessions_url(figures.filters, lesson=cell.course, dead_ends="yes")
        rows.append([cell.label, cell.course, cell.count, Linked(url, _("Show"))])
    columns = [gettext_lazy("Question"), gettext_lazy("Lesson"), gettext_lazy("Times"), gettext_lazy("Sessions")]
    shown = cells[:BARS_SHOWN]
    named = [cell.label if len(figures.filters.courses) == 1 else f"{cell.label} · {cell.course}" for cell in shown]
    series = [Series(gettext_lazy("Attempts ran out"), [cell.count for cell in shown], "bad")]
    times = sum(cell.count for cell in cells)
    summary = ngettext(
        "Attempts ran out %(n)s time; questions where they did: %(questions)s.",
        "Attempts ran out %(n)s times; questions where they did: %(questions)s.",
        times,
    )
    text = summary % {"n": whole(times), "questions": whole(len(cells))}
    return View(text, Table(columns, rows), Bars(named, series, sideways=True))


def operations_view(figures: Figures) -> View | None:
    """Moves from the most frequent one on."""
    counts = Counter(figures.counts("operations"))
    if not counts:
        return None
    ordered = [(str(_OPERATIONS.get(op, op)), count) for op, count in counts.most_common()]
    columns = [gettext_lazy("Move"), gettext_lazy("Times"), gettext_lazy("Share")]
    rows: list[Sequence[TableCell]] = [[name, count, percent(count, counts.total())] for name, count in ordered]
    series = [Series(gettext_lazy("Times"), [count for _name, count in ordered], "first")]
    summary = ngettext("The planner made %(n)s move.", "The planner made %(n)s moves.", counts.total())
    chart = Bars([name for name, _count in ordered], series, sideways=True)
    return View(summary % {"n": whole(counts.total())}, Table(columns, rows), chart)
