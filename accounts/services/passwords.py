"""What ends with a password."""

from typing import Any

from accounts.models import User
from accounts.services.tokens import tokens_revoke


class EndsTokens:
    """A validator in `AUTH_PASSWORD_VALIDATORS` that validates nothing.

    Django tells each of them of a new password wherever it was set: on a page, in the administration or by a command.
    A stored hash that is only made stronger is no new password.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Every password will do."""

    def get_help_text(self) -> str:
        return ""

    def password_changed(self, password: str, user: Any = None) -> None:
        if isinstance(user, User):
            tokens_revoke(user=user, why="password")
