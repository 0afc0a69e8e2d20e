"""Programs that consult through the API."""

from typing import Any

from accounts.models import Scope, User
from tests.api.sessions import Answer, Json, Program

PLANS, ENTRIES = "query-plans/", "audit-entries/"
CONSULTING = (Scope.QUERY_PLANS_READ, Scope.QUERY_PLANS_WRITE, Scope.AUDIT_READ)
EXCEDENCIA = "¿Es buen momento para solicitar excedencia en CGI?"
MARKET = "¿Cuánto vale el metro cuadrado en el centro?"
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""


def consulter(user: User) -> Program:
    """A program of this person's; its token has been used this minute."""
    program = Program(user, scopes=CONSULTING)
    program.get(f"{PLANS}?limit=1")
    return program


def asked(program: Program, message: str = EXCEDENCIA, **more: Any) -> Json:
    """The plan of a question that must get one."""
    answer = program.post(PLANS, {"message": message, **more})
    assert answer.status == 201, answer.text
    return answer.json


def corrected(program: Program, plan: Json, domain: str = "tax", **headers: str) -> Answer:
    return program.post(f"{PLANS}{plan['id']}/corrections/", {"domain": domain}, **headers)
