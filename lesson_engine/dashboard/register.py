"""What the dashboard shows of lessons: which events are counted, and which panels and numbers are made of them.

Events are described in `services/turn_events.py`. An event's course is a lesson's slug.
"""

from collections import defaultdict

from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from lesson_engine.dashboard import panels
from lesson_engine.dashboard.steps import steps_view
from lesson_engine.models import CourseLesson, Lesson
from telemetry.contracts import EventName
from telemetry.panels import (
    CourseChoice,
    Measure,
    Panel,
    Tile,
    courses_register,
    is_true,
    measure_register,
    number,
    panel_register,
    text,
    tile_register,
    want,
)

_ANSWERS = (EventName.EVALUATION_RESULT.value,)
_IS_OWN_WORD = f"({text('provenance')} IS NOT DISTINCT FROM 'self')"
"""The learner's own word is an event of the same name, and no verdict of a grader."""
_IS_GRADED = f"NOT {_IS_OWN_WORD}"
_SAID = f"(CASE WHEN {is_true('doubtful')} THEN 'NOT_SURE' ELSE {text('result')} END)"
"""What the grader said: in doubt it claims no result."""
_LEAVING = (EventName.STEP_SHOWN.value, EventName.SESSION_FINISHED.value)
_SECONDS = number("leftSeconds")
# Buckets of which each is 1.41 times as wide as the last: 1 from one second on, 2 from 1.4, 3 from 2, ... 34 from 26 h.
_BUCKET = f"(CASE WHEN {_SECONDS} < 1 THEN 0 ELSE least(34, 1 + floor(2 * ln({_SECONDS}) / ln(2::float8)))::int END)"

MEASURES = (
    Measure(name="sessions", events=(EventName.SESSION_STARTED, EventName.SESSION_FINISHED), label="event"),
    Measure(name="verdicts", events=_ANSWERS, label=f"{text('rule')} || '|' || {_SAID}", where=_IS_GRADED),
    Measure(name="own_words", events=_ANSWERS, label=text("result"), where=_IS_OWN_WORD),
    # The first answer to a question that could be judged. Events from before `first` tell it by their attempts, which
    # are counted with this one.
    Measure(
        name="first_answers",
        events=_ANSWERS,
        label=text("result"),
        where=f"coalesce(data->'first', to_jsonb(data->'attempts' = '1'::jsonb)) = 'true'::jsonb"
        f" AND {text('result')} <> 'NOT_GRADABLE' AND {_IS_GRADED}",
    ),
    Measure(name="deviations", events=_ANSWERS, label=text("deviation"), where=_IS_GRADED),
    Measure(name="doubtful", events=_ANSWERS, where=is_true("doubtful")),
    Measure(name="attacks", events=_ANSWERS, where=is_true("attackLike")),
    Measure(name="operations", events=(EventName.ADAPTATION_PLANNED,), label=text("op")),
    Measure(
        name="step_types",
        events=_LEAVING,
        label=f"{text('leftType')} || '|' || {_BUCKET}",
        amount=_SECONDS,
        where=f"{_SECONDS} >= 0",
    ),
    Measure(
        name="steps",
        events=_LEAVING,
        label=f"{text('leftStep')} || '|' || {text('leftType')} || '|' || {_BUCKET}",
        amount=_SECONDS,
        where=f"{_SECONDS} >= 0",
    ),
    Measure(
        name="dead_ends",
        events=(EventName.ADVANCEMENT_REJECT,),
        label=text("askCode"),
        where=f"{is_true('closed')} AND {text('outcome')} = 'shown' AND {text('ownWord')} IS NULL",
    ),
    Measure(name="cost", events=(EventName.BUDGET_USAGE,), label=text("tier"), amount=number("costMicrocents")),
)


PANELS = (
    Panel(
        code="sessions",
        title=_("Sessions"),
        about=_("Lessons that were started and lessons that were finished, each on its own day."),
        empty=_("No lesson was started or finished in these days."),
        wants=lambda _filters: [want("sessions", "day", "label")],
        build=panels.sessions_view,
        wide=True,
    ),
    Panel(
        code="verdicts",
        title=_("Verdicts by rule"),
        about=_("Which rule of the grader decided, and how."),
        empty=_("No answer was judged in these days."),
        wants=lambda _filters: [want("verdicts", "label")],
        build=panels.verdicts_view,
    ),
    Panel(
        code="own-words",
        title=_("Learners' own words"),
        about=_("What learners said who compared an answer with the author's, since the grader was not sure of it."),
        empty=_("No answers were compared in these days."),
        wants=lambda _filters: [want("own_words", "day", "label")],
        build=panels.own_words_view,
    ),
    Panel(
        code="dead-ends",
        title=_("Dead ends"),
        about=_("Questions whose attempts ran out, so that the answer was shown."),
        empty=_("Nobody ran out of attempts in these days."),
        wants=lambda _filters: [want("dead_ends", "course", "label")],
        build=panels.dead_ends_view,
    ),
    Panel(
        code="deviations",
        title=_("Distance from the topic"),
        about=_("Whether answers kept to what was asked. Wrong is not off topic."),
        empty=_("No answer was judged in these days."),
        wants=lambda _filters: [want("deviations", "day", "label")],
        build=panels.deviations_view,
    ),
    Panel(
        code="watch",
        title=_("Doubtful and attack-like answers"),
        about=_("Verdicts the grader was unsure of, and answers that look like an attempt to trick the tutor."),
        empty=_("Nothing doubtful and nothing like an attack in these days."),
        wants=lambda _filters: [want("doubtful", "day"), want("attacks", "day")],
        build=panels.watch_view,
    ),
    Panel(
        code="steps",
        title=_("Time per step"),
        about=_(
            "From the moment a step is shown until the learner goes on: the median, and the middle half of all."
            " Choose a lesson to see it step by step."
        ),
        empty=_("Nobody left a step in these days."),
        # Step by step for one lesson; steps of different lessons have nothing in common but their type.
        wants=lambda filters: [want("steps" if len(filters.courses) == 1 else "step_types", "label")],
        build=steps_view,
    ),
    Panel(
        code="operations",
        title=_("What the planner did"),
        about=_("Moves chosen in adaptive mode; where the grader is not sure, it asks again in both modes."),
        empty=_("The planner made no move in these days."),
        wants=lambda _filters: [want("operations", "label")],
        build=panels.operations_view,
    ),
)

_BY_EVENT = want("sessions", "label")
TILES = (
    Tile(code="sessions", title=_("Sessions started"), wants=(_BY_EVENT,), build=panels.started),
    Tile(code="completion", title=_("Finished"), wants=(_BY_EVENT,), build=panels.finished),
    Tile(
        code="first",
        title=_("Accepted at first"),
        wants=(want("first_answers", "label"),),
        build=panels.accepted_at_first,
    ),
    Tile(
        code="doubtful",
        title=_("Doubtful"),
        wants=(want("doubtful", "label"), want("verdicts", "label")),
        build=panels.doubtful,
    ),
    Tile(code="dead-ends", title=_("Dead ends"), wants=(want("dead_ends", "course", "label"),), build=panels.dead_ends),
    Tile(code="cost", title=_("Cost in US$"), wants=(want("cost", "label"),), build=panels.cost),
)


def courses_to_choose() -> list[CourseChoice]:
    """Courses with their lessons, then all lessons one by one, also retired ones. Two queries."""
    lessons: dict[tuple[str, str], list[str]] = defaultdict(list)
    places = CourseLesson.objects.order_by("course__title", "course_id", "position")
    for slug, title, lesson in places.values_list("course__slug", "course__title", "lesson__slug"):
        lessons[slug, title].append(lesson)
    titles = Lesson.objects.order_by(Coalesce("current__title", "slug")).values_list("slug", "current__title")
    return [
        *(
            CourseChoice(f"{panels.COURSE_PREFIX}{slug}", title, _("Courses"), tuple(members))
            for (slug, title), members in lessons.items()
        ),
        *(CourseChoice(slug, f"{title} · {slug}" if title else slug, _("Lessons"), (slug,)) for slug, title in titles),
    ]


def dashboard_register() -> None:
    """For `AppConfig.ready()`."""
    courses_register(courses_to_choose)
    for measure in MEASURES:
        measure_register(measure)
    for panel in PANELS:
        panel_register(panel)
    for tile in TILES:
        tile_register(tile)
