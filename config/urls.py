"""Every address of the product."""

from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language

urlpatterns = [
    path("", include("lesson_engine.urls")),
    path("", include("routing.urls")),
    path("", include("core.urls")),
    path("", include("config.api_urls")),
    path("account/", include("accounts.urls")),
    path("language/", set_language, name="set_language"),
    path("admin/", include("telemetry.urls")),
    path("admin/", include("gateway.urls")),
    path("admin/", include("reflection.urls")),
    path("admin/", include("routing.board.urls")),
    path("admin/", admin.site.urls),
]

# Below /api/ every refusal is a problem document, also where no view was found or reached.
handler400 = "core.problems.refusals.bad_request"
handler403 = "core.problems.refusals.permission_denied"
handler404 = "core.problems.refusals.page_not_found"
handler500 = "core.problems.refusals.server_error"
