from django.urls import path

from lesson_engine.learn import views

app_name = "lesson_engine"
urlpatterns = [
    path("", views.home, name="home"),
    path("lessons/<slug:slug>/", views.lesson, name="lesson"),
    path("lessons/<slug:slug>/start/", views.start, name="start"),
    path("courses/<slug:slug>/", views.course, name="course"),
    path("review/", views.review, name="review"),
    path("sessions/<uuid:session_id>/", views.session, name="session"),
    path("sessions/<uuid:session_id>/answers/", views.answer, name="answer"),
    path("sessions/<uuid:session_id>/continue/", views.proceed, name="continue"),
    path("sessions/<uuid:session_id>/hint/", views.hint, name="hint"),
    path("sessions/<uuid:session_id>/skip/", views.skip, name="skip"),
    path("sessions/<uuid:session_id>/compare/", views.compare, name="compare"),
    path("sessions/<uuid:session_id>/self-assessment/", views.self_assess, name="self_assessment"),
    path("sessions/<uuid:session_id>/report/", views.report, name="report"),
    path("sessions/<uuid:session_id>/mode/", views.mode, name="mode"),
    path("lesson-format/1/schema.json", views.schema, name="schema"),
]
