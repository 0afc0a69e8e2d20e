from django.contrib.admin.apps import AdminConfig


class AndamioAdminConfig(AdminConfig):
    """Django's admin with our site: who may enter, and by which door."""

    default_site = "accounts.admin_site.AndamioAdminSite"
