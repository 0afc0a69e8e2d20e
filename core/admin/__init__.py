"""Titles of the admin site; `tools` has what the admin pages of all apps share."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

admin.site.site_header = _("Andamio administration")
admin.site.site_title = _("Andamio administration")
admin.site.index_title = _("What is on record")
