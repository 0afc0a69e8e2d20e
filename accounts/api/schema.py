"""OpenAPI descriptions of the two kinds of authentication, and of the scope that each operation needs."""

from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers the class
    """A bearer token. Each operation names its scopes: OpenAPI 3.1 lets every scheme name roles that it needs."""

    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of your account, made at /account/tokens/. It begins with andamio_.",
        }

    def get_security_requirement(self, auto_schema: AutoSchema) -> dict[str, list[str]]:
        scopes = getattr(auto_schema.view, "required_scopes", {})
        scope = scopes.get(auto_schema.method)
        return {self.name: [scope] if scope else []}


class BrowserScheme(SessionScheme):  # type: ignore[no-untyped-call]
    """The session of the pages."""

    target_class = "accounts.api.authentication.BrowserSession"
    name = "browser"
