"""`manage.py erase_words USERNAME`"""

from accounts.models import User
from lesson_engine.management.erasing import ErasingCommand
from lesson_engine.services.words import words_erase


class Command(ErasingCommand):
    """What they did stays: turns, verdicts and the audit trail."""

    help = "Erase for good everything that a learner wrote. Asks before it does."
    who = "a learner or a guest"
    question = "Everything {username} wrote will be gone for good. Type the name to go on: "
    refusal = "nothing was erased"

    def erase(self, user: User) -> str:
        return f"erased what {user.username} wrote: {words_erase(user_id=user.pk)} texts"
