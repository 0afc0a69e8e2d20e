"""What people say when they are asked to confirm: denials that contain the word, doubts, and a change of mind."""

from evaluation.checking.decisions import Decision, decision_of
from evaluation.checking.speakers import actions

YES = """confirmed | Yes please | Sí, confirmo | si confirmo | ok | looks good, go ahead | No problem, confirmed | 👍
me encanta | Vale, adelante | acepto | Not bad, book it | confirmed but wants late checkout | confirmada | perfecto
Confirmed, no changes needed | no complaints, approved | claro que sí | not happy with the price but confirmed"""
NO = """rejected - too low quality | not confirmed | unconfirmed | I can't confirm this | no confirmado | sin confirmar
did not confirm | declined to confirm | no, thanks | yes but cancel it | no me gusta | no lo confirmo | rechazada | 👎
user declined | I don't want it | El usuario no aceptó la propuesta | of course not | claro que no
The user never confirmed | not yet confirmed | refuses to approve
I changed my mind | Confirmo que no lo quiero | too expensive"""
PENDING = """confirmation pending | let me think about it | Can you confirm? | I will confirm tomorrow | not yet
aún no | confirmaría si baja el precio | I would confirm if it were cheaper | user has not responded | pendiente
tengo que pensarlo"""
NOTHING = "a photo of the room | whatever | the hotel has 20 rooms | it was not rejected"


def lines(text: str) -> list[str]:
    return [one.strip() for line in text.splitlines() for one in line.split("|")]


def test_denials_doubts_and_consent_are_told_apart() -> None:
    confirm = actions()["confirm"]
    wanted = ((YES, Decision.YES), (NO, Decision.NO), (PENDING, Decision.PENDING), (NOTHING, None))
    faults = [
        (text, decision, got)
        for texts, decision in wanted
        for text in lines(texts)
        for form in (text, text.upper())
        if (got := decision_of(form, confirm)) is not decision
    ]
    assert faults == []


def test_finishing_has_words_of_its_own() -> None:
    finish = actions()["finish"]
    said = {
        "completed": Decision.YES,
        "in_progress": Decision.NO,
        "abandoned at step 3": Decision.NO,
        "great lesson": None,
    }
    assert {text: decision_of(text, finish) for text in said} == said


REFUSED = """me niego a confirmar | rehúsa confirmar | dejó de confirmar | olvidó confirmar | evito confirmar
se abstuvo de confirmar | olvidé aceptar la reserva | confirmed: false | confirmed = no | approved=false
Confirmed (later cancelled) | confirmed - later withdrawn | He confirmed nothing | accepts neither
forgot to confirm | avoided confirming | neglected to confirm | confirmado: no"""
CONDITIONED = """si bajan el precio, confirmo | si fuera más barato, sí | si me bajan el precio confirmo
a menos que suban el precio, confirmo | siempre que haya piscina, de acuerdo | en caso de que haya piscina, sí
if it were cheaper, yes | if they lower the price, I confirm | Unless the price drops, I won't confirm
I doubt I'd confirm | as long as it has a pool, yes | confirmed on condition that the price drops
reluctant to confirm | assuming breakfast is included, yes"""
AGREED = """no, confirmado | si confirmo | Si, confirmo | si lo confirmo | confirmed: true | confirmed = yes
Yes! (paid by card)"""


def test_refusals_and_conditions_that_contain_the_word_are_no_consent() -> None:
    confirm = actions()["confirm"]
    wanted = ((REFUSED, Decision.NO), (CONDITIONED, Decision.PENDING), (AGREED, Decision.YES))
    said = [(text, decision, decision_of(text, confirm)) for texts, decision in wanted for text in lines(texts)]
    assert [one for one in said if one[1] is not one[2]] == []
