from django.urls import path

from routing import schema_views

app_name = "routing"
urlpatterns = [
    path("schemas/<slug:contract>/<int:version>/schema.json", schema_views.schema, name="schema"),
]
