from django.contrib.admin.apps import AdminConfig


class AndamioAdminConfig(AdminConfig):
    """Django's admin with our site: who may enter, and where they show who they are."""

    default_site = "accounts.staff.admin_site.AndamioAdminSite"
