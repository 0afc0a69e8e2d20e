from django.urls import path

from reflection.api import views

urlpatterns = [
    path(
        "evaluations/<uuid:evaluation_id>/reflection/",
        views.EvaluationReflectionView.as_view(),
        name="evaluation_reflection",
    ),
    path("reflections/", views.ReflectionsView.as_view(), name="reflections"),
    path("reflections/quality/", views.ReflectionQualityView.as_view(), name="reflection_quality"),
    path("reflections/<uuid:reflection_id>/", views.ReflectionView.as_view(), name="reflection"),
    path("reflections/<uuid:reflection_id>/reviews/", views.ReflectionReviewsView.as_view(), name="reflection_reviews"),
]
