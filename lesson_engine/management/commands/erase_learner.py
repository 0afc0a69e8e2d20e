"""`manage.py erase_learner USERNAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.errors import EraseRefused
from accounts.models import User
from accounts.services import learner_erase


class Command(BaseCommand):
    """For somebody who wants to be forgotten. What they did stays, nameless: turns, verdicts and the audit trail."""

    help = "Erase a learner for good: their name, their account and everything they wrote. Asks before it does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="of a learner, a guest or an integrator, in upper or lower case")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, username: str, yes: bool = False, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist:
            raise CommandError(f"there is nobody called {username}") from None
        if not yes and not _agreed(user.username):
            raise CommandError("nobody was erased")
        try:
            erased = learner_erase(user=user)
        except EraseRefused as error:
            raise CommandError(error.message) from error
        self.stdout.write("erased" if erased else "had been erased before")


def _agreed(username: str) -> bool:
    question = f"The account of {username}, and everything they wrote, will be gone for good. Type the name to go on: "
    try:
        return input(question) == username
    except EOFError:  # nobody is there to answer
        return False
