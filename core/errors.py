"""The base of every error that a person or a program outside may see."""


class AndamioError(Exception):
    """An expected refusal. `code` is stable and documented; `status` is the HTTP status that fits it."""

    code = "error"
    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
