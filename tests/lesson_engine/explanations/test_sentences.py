"""What the tutor says is listed whole: every file that speaks to learners, every sentence, both languages."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from accounts.models import Role, User
from core.management.commands.make_catalogues import extracted
from lesson_engine.explanations.notices import notice_view
from lesson_engine.explanations.sentences import MOMENTS, tutor_sentences
from tests.each import each
from tests.lesson_engine.admin.conftest import desk
from tests.lesson_engine.admin.test_workbench_scale import WHO, Queries
from tests.lesson_engine.learn.pages import Node, parse
from tests.lesson_engine.lesson_file.build import ask
from tests.lesson_engine.player.walks import Walker, outline

__all__ = ("desk",)

PAGE = reverse("admin:lesson_engine_verdictreview_sentences")
LISTED = {name for moment in MOMENTS for name in moment.files}
SPOKEN = ("lesson_engine/", "templates/lesson_engine/")
OTHERS = (
    # for staff
    *("lesson_engine/admin/", "lesson_engine/authoring/", "lesson_engine/dashboard/", "lesson_engine/timeline/"),
    *("lesson_engine/trial/", "lesson_engine/workbench/", "lesson_engine/explanations/for_staff.py"),
    *("lesson_engine/explanations/sentences.py", "lesson_engine/apps.py", "lesson_engine/models.py"),
    *("templates/lesson_engine/_decisions.html", "templates/lesson_engine/_preview.html"),
    # for programs
    "lesson_engine/errors.py",
    # what a learner says, not the tutor
    "lesson_engine/services/words.py",
    # of lessons, courses and money, not of answers
    *("lesson_engine/learn/budget.py", "lesson_engine/player/step_names.py", "templates/lesson_engine/_bar.html"),
    *("templates/lesson_engine/_standing.html", "templates/lesson_engine/course.html"),
    *("templates/lesson_engine/home.html", "templates/lesson_engine/lesson.html"),
)


def texts(language: str) -> list[str]:
    with translation.override("en"):
        return [
            "".join(str(text) for text, _ in getattr(one, language))
            for part in tutor_sentences()
            for one in part.sentences
        ]


def test_every_file_that_speaks_to_learners_is_listed() -> None:
    """A new one either speaks of answers, and belongs to a moment, or it is named here."""
    files = {name for message in extracted() for name, _ in message.locations if name.startswith(SPOKEN)}
    assert sorted(name for name in files - LISTED if not name.startswith(OTHERS)) == []
    assert sorted(LISTED - files) == [], "files that say nothing any more"


def test_no_file_is_listed_twice() -> None:
    assert sum(len(moment.files) for moment in MOMENTS) == len(LISTED)


def test_all_that_these_files_say_is_there_in_both_languages() -> None:
    messages = [message for message in extracted() if message.id]
    for part in tutor_sentences():
        said = [message for message in messages if {name for name, _ in message.locations} & {*part.moment.files}]
        forms = sum(1 if isinstance(message.id, str) else len(message.id) for message in said)
        assert len(part.sentences) == forms > 0, part.moment
    assert all(text.strip() for text in texts("spanish"))
    assert not [text for text in (*texts("english"), *texts("spanish")) if "%(" in text or "%%" in text or "</" in text]


def test_what_a_learner_meets_is_among_them() -> None:
    lesson = outline([ask("a", answer={"kind": "open", "accepted": ["Water."]})])
    for code, language in (("en", "english"), ("es", "spanish")):
        said = texts(language)
        with translation.override(code):
            for moves in (["UNSURE"], ["REJECT"], ["NOT_GRADABLE"], ["UNSURE", "compare"], ["ACCEPT"], ["report"]):
                walk = Walker(lesson).play(*moves)
                view = notice_view(walk.outline, walk.state)
                assert view is not None
                assert view.headline in said


def rows(tree: Node) -> list[Node]:
    return [row for table in tree.find("table", class_="said-table") for row in table.one("tbody").find("tr")]


@pytest.mark.django_db
@each(
    ("language", "title", "own"),
    [
        ("en", "While the question is open", "the learner's words"),
        ("es", "Mientras la pregunta está abierta", "palabras del estudiante"),
    ],
)
def test_staff_read_both_languages_side_by_side(desk: Client, language: str, title: str, own: str) -> None:
    tree = parse(desk.get(PAGE, headers={"accept-language": language}).content.decode())
    titles = [section.one("h2").text() for section in tree.find("section", class_="said")]
    assert title in titles
    assert len(titles) == len(MOMENTS) == len(tree.one("nav", class_="said-index").find("a"))
    found = {cells[0].text(): cells[1].text() for row in rows(tree) if (cells := row.find("td"))}
    assert found["I'm not sure I understood you."] == "No estoy seguro de haberte entendido."
    assert found[f"This is not on my list: {own} ."] == f"Esto no está en mi lista: {own} ."
    assert {cell.attrs["lang"] for row in rows(tree) for cell in row.find("td")} == {"en", "es"}


@pytest.mark.django_db
def test_it_reads_nothing_of_the_database(desk: Client, django_assert_num_queries: Queries) -> None:
    with django_assert_num_queries(WHO):
        desk.get(PAGE)


@pytest.mark.django_db
def test_the_workbench_leads_there(desk: Client) -> None:
    tree = parse(desk.get(reverse("admin:lesson_engine_verdictreview_workbench")).content.decode())
    (link,) = tree.one("nav", class_="bench-pages").find("a", href=PAGE)
    assert link.text() == "What the tutor says"


@pytest.mark.django_db
def test_only_staff_come_in(client: Client, learner: User) -> None:
    for user in (None, learner, User.objects.create_user("ines", role=Role.INTEGRATOR)):
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        assert client.get(PAGE).status_code in (302, 403)
