from django.urls import path

from reflection import api

urlpatterns = [
    path(
        "evaluations/<uuid:evaluation_id>/reflection/",
        api.EvaluationReflectionView.as_view(),
        name="evaluation_reflection",
    ),
    path("reflections/", api.ReflectionsView.as_view(), name="reflections"),
    path("reflections/quality/", api.ReflectionQualityView.as_view(), name="reflection_quality"),
    path("reflections/<uuid:reflection_id>/", api.ReflectionView.as_view(), name="reflection"),
    path("reflections/<uuid:reflection_id>/reviews/", api.ReflectionReviewsView.as_view(), name="reflection_reviews"),
]
