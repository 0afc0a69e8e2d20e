"""What a learner can do in a session. An action names the version that it was made for, and counts once for its key."""

import hashlib
import uuid
from collections.abc import Callable
from functools import partial

from django.http import Http404, HttpResponse
from rest_framework.request import Request

from accounts.api.sender import sender_of
from accounts.models import Scope
from core.api.base import ApiView, operation
from core.api.idempotency import idempotent
from core.contracts import Contract
from gateway.selectors import budget_of
from lesson_engine import selectors
from lesson_engine.api.contracts.requests import ActionBody, AnswerBody, OwnWordBody, ReportBody
from lesson_engine.api.contracts.sessions import SessionDetail
from lesson_engine.api.examples import ASKING, CLOSED, COMPARING, JUDGED, OWN_WORD, READING
from lesson_engine.api.session_values import session_detail
from lesson_engine.contracts import Reply
from lesson_engine.errors import ActionNotPossible, StaleSession, TurnStillRunning
from lesson_engine.explanations.session import earlier_try
from lesson_engine.learn.results import questions_dismissed
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import QuestionReport, Session
from lesson_engine.services import turns
from lesson_engine.services.questions import question_report
from lesson_engine.services.sessions import BUDGET_SCOPE
from lesson_engine.services.turns import state_of, turn_key
from lesson_engine.services.words import reply_dont_know, storable

Act = Callable[[Session, str], Session]
action_operation = partial(
    operation,
    tag="Sessions",
    response=SessionDetail,
    problems=(StaleSession.code, TurnStillRunning.code, ActionNotPossible.code),
)
_plain_operation = partial(action_operation, request=ActionBody, request_example={"version": 3})


def session_seen(request: Request, session_id: uuid.UUID) -> Session:
    """A session that the sender may see. 404 for any other, whether it exists or not."""
    session = selectors.sessions_seen_by(sender_of(request)).filter(pk=session_id).first()
    if session is None:
        raise Http404("There is no such session, or it is not yours.")
    return session


def session_value(session: Session) -> SessionDetail:
    """The session with its money. One query; another where questions were reported, or an earlier try is explained."""
    state = state_of(session)
    dismissed = questions_dismissed(session, state) if state.phase == "finished" else ()
    tried = earlier_try(session, state)
    budget = budget_of(BUDGET_SCOPE, str(session.pk))
    return session_detail(session, state, budget, dismissed, earlier=tried)


def acted(view: ApiView, request: Request, session_id: uuid.UUID, act: Act) -> HttpResponse:
    """The session after an action, which is given the session and the key of the request.

    Raises what the action does; a `StaleSession` gets the version at which the session is now.
    """
    session = session_seen(request, session_id)
    try:
        after = act(session, turn_key(request.idempotency_key))
    except StaleSession as error:
        now = Session.objects.values_list("version", flat=True).get(pk=session.pk)
        raise StaleSession(error.message, version=now) from error
    # A repeated action gives the session anew; what never changes need not be fetched for it.
    after.lesson, after.lesson_version, after.user = session.lesson, session.lesson_version, session.user
    vars(after)["plan_id"] = vars(session)["plan_id"]
    return view.answer(session_value(after))


def answer_unless_known(view: ApiView, value: Contract) -> HttpResponse:
    """The value with an ETag of its content, or 304 for a client that names this ETag.

    Of the content, not of a version: the same session reads differently in another language, and its money may move
    within a version.
    """
    etag = hashlib.sha256(value.model_dump_json().encode()).hexdigest()[:32]
    return view.conditional(f'"{etag}"', lambda: view.answer(value))


class _ActionView(ApiView):
    required_scopes = {"POST": Scope.SESSIONS_WRITE}

    def acted_plainly(self, request: Request, session_id: uuid.UUID, service: Callable[..., Session]) -> HttpResponse:
        """The session after an action that has nothing in its body but the version."""
        version = self.read(ActionBody).version
        return acted(self, request, session_id, lambda session, key: service(session=session, version=version, key=key))


class AnswerView(_ActionView):
    @action_operation(
        id="session_answer",
        summary="Answer the question",
        request=AnswerBody,
        request_example={"version": 3, "text": "Para fabricar azúcar con la luz."},
        example=JUDGED,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Judge an answer and move on as it deserves; `last_turn` in the response tells the verdict.

        Send `text` for questions that are answered in writing, `choices` for those with choices, or `dont_know`. An
        answer in the wrong form, or an empty one, is not graded; every third such answer in a row costs an attempt.
        """
        body = self.read(AnswerBody)

        def act(session: Session, key: str) -> Session:
            reply = _reply(body, session)
            return turns.session_answer(session=session, version=body.version, key=key, reply=reply)

        return acted(self, request, session_id, act)


class HintView(_ActionView):
    @_plain_operation(id="session_hint", summary="Take a hint", example=ASKING)
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Show the next hint of the author's; hints cost no attempt."""
        return self.acted_plainly(request, session_id, turns.session_hint)


class ContinueView(_ActionView):
    @_plain_operation(id="session_continue", summary="Go on to the next step", example=READING)
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Leave what was read, or a question that is closed. After the last step the session is finished."""
        return self.acted_plainly(request, session_id, turns.session_continue)


class SkipView(_ActionView):
    @_plain_operation(id="session_skip", summary="Skip the question", example=CLOSED)
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Give the question up and see its answer; possible once enough attempts were used."""
        return self.acted_plainly(request, session_id, turns.session_skip)


class CompareView(_ActionView):
    @_plain_operation(id="session_compare", summary="Compare with the author's answer", example=COMPARING)
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Show the author's answer at once, where the grader is not sure of the learner's (`can_compare`).

        It costs no attempt, and the question takes no other answer then.
        """
        return self.acted_plainly(request, session_id, turns.session_compare)


class SelfAssessmentView(_ActionView):
    @action_operation(
        id="session_self_assessment",
        summary="Say whether it is what you meant",
        request=OwnWordBody,
        request_example={"version": 6, "said": "yes"},
        example=OWN_WORD,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """The learner's own word on the answer that they compare; it closes the question and counts as one attempt.

        `yes` counts as answered, `partly` and `no` do not, until staff look at that answer.
        """
        body = self.read(OwnWordBody)

        def act(session: Session, key: str) -> Session:
            return turns.session_self_assess(session=session, version=body.version, key=key, word=body.said)

        return acted(self, request, session_id, act)


class ReportView(_ActionView):
    @action_operation(
        id="session_report",
        summary="Say that the question is wrong",
        request=ReportBody,
        request_example={"version": 5, "kind": "my_answer_right", "comment": "También vale decir oxígeno."},
        example=CLOSED,
    )
    @idempotent
    def post(self, request: Request, session_id: uuid.UUID) -> HttpResponse:
        """Tell staff what is wrong with the question that is shown, open or just closed; once a session.

        An open question closes at no attempt, with its answer. If staff find that it is wrong, it is withdrawn for
        everyone and the results are reckoned anew.
        """
        body = self.read(ReportBody)
        kind = QuestionReport.Kind(body.kind)

        def act(session: Session, key: str) -> Session:
            return question_report(session=session, version=body.version, key=key, kind=kind, comment=body.comment)

        return acted(self, request, session_id, act)


def _reply(body: AnswerBody, session: Session) -> Reply:
    if body.is_dont_know:
        return reply_dont_know(outline_of(session.lesson_version_id).lesson.meta.language)
    return Reply(text=storable(body.text), choices=tuple(storable(code) for code in body.choices))
