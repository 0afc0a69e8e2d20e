from django.urls import path

from routing.consult import views
from routing.schemas.views import schema

app_name = "routing"
urlpatterns = [
    path("consult/", views.consult, name="consult"),
    path("consult/ask/", views.ask, name="ask"),
    path("consult/plans/<uuid:query_plan_id>/", views.plan, name="plan"),
    path("consult/plans/<uuid:query_plan_id>/correct/", views.correct, name="correct"),
    path("consult/plans/<uuid:query_plan_id>/check/", views.check, name="check"),
    path("schemas/<slug:contract>/<int:version>/schema.json", schema, name="schema"),
]
