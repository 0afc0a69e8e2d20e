"""`manage.py erase_words USERNAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from lesson_engine.services.words import words_erase


class Command(BaseCommand):
    """For somebody who wants back what they wrote. What they did stays: turns, verdicts and the audit trail."""

    help = "Erase for good everything that a learner wrote. Asks before it does."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="of a learner or a guest, in upper or lower case")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *, username: str, yes: bool = False, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist:
            raise CommandError(f"there is nobody called {username}") from None
        if not yes and not _agreed(user.username):
            raise CommandError("nothing was erased")
        erased = words_erase(user_id=user.pk)
        self.stdout.write(f"erased what {user.username} wrote: {erased} texts")


def _agreed(username: str) -> bool:
    try:
        return input(f"Everything {username} wrote will be gone for good. Type the name to go on: ") == username
    except EOFError:  # nobody is there to answer
        return False
