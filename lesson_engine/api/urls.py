"""Addresses of the API of lessons and sessions, below `/api/v1/`."""

from django.urls import path

from lesson_engine.api import actions, lessons, sessions, verdicts

urlpatterns = [
    path("lessons/", lessons.LessonsView.as_view(), name="lessons"),
    path("lessons/<slug:slug>/", lessons.LessonView.as_view(), name="lesson"),
    path("sessions/", sessions.SessionsView.as_view(), name="sessions"),
    path("sessions/<uuid:session_id>/", sessions.SessionView.as_view(), name="session"),
    path("sessions/<uuid:session_id>/answers/", actions.AnswerView.as_view(), name="session_answers"),
    path("sessions/<uuid:session_id>/compare/", actions.CompareView.as_view(), name="session_compare"),
    path("sessions/<uuid:session_id>/continue/", actions.ContinueView.as_view(), name="session_continue"),
    path("sessions/<uuid:session_id>/hint/", actions.HintView.as_view(), name="session_hint"),
    path("sessions/<uuid:session_id>/report/", actions.ReportView.as_view(), name="session_report"),
    path(
        "sessions/<uuid:session_id>/self-assessment/",
        actions.SelfAssessmentView.as_view(),
        name="session_self_assessment",
    ),
    path("sessions/<uuid:session_id>/skip/", actions.SkipView.as_view(), name="session_skip"),
    path("sessions/<uuid:session_id>/turns/", sessions.TurnsView.as_view(), name="session_turns"),
    path("verdicts/", verdicts.VerdictsView.as_view(), name="verdicts"),
    path("verdicts/agreement/", verdicts.AgreementView.as_view(), name="verdict_agreement"),
    path("verdicts/reviews/", verdicts.GroupReviewsView.as_view(), name="verdict_group_reviews"),
    path("verdicts/labelled.jsonl", verdicts.LabelledLinesView.as_view(), name="verdict_export"),
    path("verdicts/<int:verdict_id>/", verdicts.VerdictView.as_view(), name="verdict"),
    path("verdicts/<int:verdict_id>/reviews/", verdicts.ReviewsView.as_view(), name="verdict_reviews"),
    path("verdicts/<int:verdict_id>/reviews/undo/", verdicts.UndoView.as_view(), name="verdict_review_undo"),
]
