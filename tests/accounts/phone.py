"""A phone with an authenticator app."""

import time
from base64 import b32decode

from django.test import Client
from django_otp.oath import TOTP

from tests.lesson_engine.learn.pages import Page

SET_UP, ENTER = "/account/second-factor/set-up/", "/account/second-factor/"


class Phone:
    """Shows a new code whenever it is asked: of the coming half minute when this one's was used already."""

    def __init__(self, typed_key: str) -> None:
        self._totp = TOTP(b32decode(typed_key.replace(" ", "")))
        self._shown = -1

    def code(self) -> str:
        self._totp.time = time.time()
        self._totp.drift = max(0, self._shown + 1 - self._totp.t() + self._totp.drift)
        self._shown = self._totp.t()
        return self.again()

    def again(self) -> str:
        """The code shown last."""
        return f"{self._totp.token():06}"

    def wrong(self) -> str:
        """Six digits that are right at no time near."""
        near = set()
        for step in range(-5, 6):
            self._totp.time, self._totp.drift = time.time() + 30 * step, 0
            near.add(f"{self._totp.token():06}")
        return next(code for number in range(20) if (code := f"{number:06}") not in near)


def scan(client: Client) -> Phone:
    """Read the key from the page that sets a phone up."""
    page = Page(client.get(SET_UP))
    return Phone(page.tree.one("input", class_="secret").attrs["value"])


def set_up(client: Client) -> tuple[Phone, list[str]]:
    """Set a phone up; with it the recovery codes that were shown."""
    phone = scan(client)
    page = Page(client.post(SET_UP, {"code": phone.code()}))
    return phone, [node.text() for node in page.tree.one("ul", class_="codes").find("code")]
