"""Commands that erase, and ask before they do."""

from abc import ABC, abstractmethod
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User


class ErasingCommand(BaseCommand, ABC):
    """Finds the user, and has the name typed once more. `refusal` is the message where it is not."""

    who: str
    question: str
    refusal: str

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help=f"of {self.who}, in upper or lower case")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, username: str, yes: bool = False, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist:
            raise CommandError(f"no user is called {username}") from None
        if not yes and not self._agreed(user.username):
            raise CommandError(self.refusal)
        self.stdout.write(self.erase(user))

    @abstractmethod
    def erase(self, user: User) -> str:
        """Erase, and return what to print of it."""

    def _agreed(self, username: str) -> bool:
        try:
            return input(self.question.format(username=username)) == username
        except EOFError:  # there is no terminal to answer from
            return False
