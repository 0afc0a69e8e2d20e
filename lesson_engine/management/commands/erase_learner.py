"""`manage.py erase_learner USERNAME`"""

from django.core.management.base import CommandError

from accounts.errors import EraseRefused
from accounts.models import User
from accounts.services import learner_erase
from lesson_engine.management.erasing import ErasingCommand


class Command(ErasingCommand):
    """What they did stays, nameless: turns, verdicts and the audit trail."""

    help = "Erase a learner for good: their name, their account and everything they wrote. Asks before it does."
    who = "a learner, a guest or an integrator"
    question = "The account of {username}, and everything they wrote, will be gone for good. Type the name to go on: "
    refusal = "no account was erased"

    def erase(self, user: User) -> str:
        try:
            return "erased" if learner_erase(user=user) else "had been erased before"
        except EraseRefused as error:
            raise CommandError(error.message) from error
