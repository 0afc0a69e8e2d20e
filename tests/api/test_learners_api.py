"""A program erases a learner of its own."""

from accounts.models import Role, User
from lesson_engine.models import LearnerText, LessonVersion, Session
from tests.api.sessions import Program

ERASE = "learners/erase/"


def test_a_learner_of_ones_own_is_erased_once(photosynthesis: LessonVersion, reader: Program) -> None:
    walk = reader.start("fotosintesis", learner="pupil-7")
    while walk.now["phase"] != "asking":
        walk.now = walk.send("continue").json
    assert walk.send("answers", text="porque comen luz").status == 200
    first, again = (reader.post(ERASE, {"learner": "pupil-7"}) for _ in range(2))
    assert (first.status, again.status, first.text) == (204, 204, "")
    assert LearnerText.objects.get().text is None
    assert reader.get(walk.path).status == 404
    assert not User.objects.filter(pseudonym="pupil-7").exists()
    fresh = reader.start("fotosintesis", learner="pupil-7")
    assert fresh.now["id"] != walk.now["id"]
    assert Session.objects.count() == 2


def test_another_programs_learner_stays(photosynthesis: LessonVersion, reader: Program) -> None:
    reader.start("fotosintesis", learner="pupil-7")
    other = Program(User.objects.create_user("olga", role=Role.INTEGRATOR))
    assert other.post(ERASE, {"learner": "pupil-7"}).status == 204
    assert User.objects.filter(pseudonym="pupil-7", erased_at=None).exists()


def test_without_a_name_nobody_is_erased(reader: Program) -> None:
    for body in ({}, {"learner": ""}, {"learner": "p" * 121}, {"learner": None}, {"learner": "a\x00b"}):
        refused = reader.post(ERASE, body)
        assert refused.status == 422, body
        assert "/learner" in refused.places()
