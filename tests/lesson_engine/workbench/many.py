"""Many answers at once, as turns leave them; made by the database."""

from django.db import connection

from lesson_engine.models import Session

_SESSIONS = """
INSERT INTO lesson_engine_session (id, user_id, lesson_id, lesson_version_id, mode, status, version, state, started_at,
                                   active_at, finished_at, doubtful, dead_ends, attacks)
SELECT gen_random_uuid(), user_id, lesson_id, lesson_version_id, mode, 'set_aside', %(each)s, state, started_at,
       active_at, finished_at, doubtful, dead_ends, attacks
FROM lesson_engine_session, generate_series(1, %(sessions)s) WHERE id = %(like)s
"""
# Every third turn goes on, every tenth verdict is in doubt, every fourth accepts.
_TURNS = """
INSERT INTO lesson_engine_turn (session_id, version, kind, key, fingerprint, mode, ask_code, result, deviation, verdict,
                                started_at, finished_at, state, takes)
SELECT id, n, CASE WHEN n %% 3 = 2 THEN 'continue' ELSE 'answer' END, n::text, '', 'deterministic',
       CASE WHEN n %% 2 = 0 THEN 'ASK_001' ELSE 'ASK_002' END,
       CASE WHEN n %% 3 = 2 THEN '' WHEN n %% 4 = 0 THEN 'ACCEPT' ELSE 'REJECT' END, 'ON_TOPIC',
       CASE WHEN n %% 3 <> 2 THEN jsonb_build_object('result', CASE WHEN n %% 4 = 0 THEN 'ACCEPT' ELSE 'REJECT' END,
            'rule', 'open.semantic', 'score', 0.5, 'grader', 'made')
            || CASE WHEN (row_number() OVER ()) %% 10 = 0 THEN '{"doubtful": true}'::jsonb ELSE '{}'::jsonb END END,
       now(), now(), 'done', 1
FROM lesson_engine_session, generate_series(0, %(each)s - 1) AS n WHERE lesson_engine_session.status = 'set_aside'
"""
_WORDS = """
INSERT INTO lesson_engine_learnertext (turn_id, text, choices, salt)
SELECT id, 'some words ' || id, '[]', '\\x00' FROM lesson_engine_turn
WHERE kind = 'answer' AND NOT EXISTS (SELECT FROM lesson_engine_learnertext WHERE turn_id = lesson_engine_turn.id)
"""
_REVIEWS = """
INSERT INTO lesson_engine_verdictreview (turn_id, lesson_version_id, ask_code, grader, graded, score, doubtful, result,
                                         note, by_id, at, current, drawn)
SELECT turn.id, session.lesson_version_id, ask_code, 'made', result, 0.5, verdict @> '{"doubtful": true}',
       CASE WHEN turn.id %% 5 = 0 THEN 'PARTIAL' ELSE result END, '', %(by)s, now(), true, false
FROM lesson_engine_turn AS turn JOIN lesson_engine_session AS session ON session.id = session_id
WHERE kind = 'answer' AND verdict @> '{"doubtful": true}'
ORDER BY turn.id DESC LIMIT %(count)s
"""
_OWN_WORDS = """
INSERT INTO lesson_engine_turn (session_id, version, kind, key, fingerprint, mode, ask_code, result, deviation, verdict,
                                started_at, finished_at, state, takes, about_id)
SELECT session_id, version + 1000, 'self_assessment', 'own ' || id, '', mode, ask_code, 'ACCEPT', '',
       '{"result": "ACCEPT", "rule": "self.yes", "score": 1, "grader": "learner", "provenance": "self"}',
       now(), now(), 'done', 1, id
FROM lesson_engine_turn WHERE kind = 'answer' AND verdict @> '{"doubtful": true}' ORDER BY id DESC LIMIT %(count)s
"""


def many_answers(like: Session, *, sessions: int, each: int = 12) -> None:
    """Two thirds of them answers."""
    with connection.cursor() as cursor:
        cursor.execute(_SESSIONS, {"like": like.pk, "sessions": sessions, "each": each})
        cursor.execute(_TURNS, {"each": each})
        cursor.execute("ANALYZE lesson_engine_turn, lesson_engine_learnertext")  # or the next may take minutes
        cursor.execute(_WORDS)
        cursor.execute("ANALYZE")


def many_reviews(*, by: int, count: int) -> None:
    """Of the latest answers that were in doubt."""
    with connection.cursor() as cursor:
        cursor.execute(_REVIEWS, {"by": by, "count": count})
        cursor.execute("ANALYZE lesson_engine_verdictreview")


def many_own_words(*, count: int) -> None:
    """Of the learners of the latest answers that were in doubt."""
    with connection.cursor() as cursor:
        cursor.execute(_OWN_WORDS, {"count": count})
        cursor.execute("ANALYZE lesson_engine_turn")
