"""`manage.py reset_second_factor USERNAME`"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.services import second_factor_reset


class Command(BaseCommand):
    """For a superuser who lost phone and recovery codes, if no other superuser can reset them in the admin."""

    help = "Take somebody's second factor away: they set it up anew when they next enter."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="in upper or lower case")

    def handle(self, *, username: str, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(username)
        except User.DoesNotExist:
            raise CommandError(f"no user is called {username}") from None
        reset = second_factor_reset(user=user)
        self.stdout.write(f"{user.username}: reset" if reset else f"{user.username} had none")
