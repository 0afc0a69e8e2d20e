"""Phrases that are no attempt, as patterns over folded words in which a bar stands for the end of a clause."""

import re
from typing import Final


def _any(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


def _phrase(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"\b{_any(*alternatives)}(?=$| )")


# "no sé qué gas es": the wondering belongs to it, up to a turn such as "pero creo que ...".
_TURN: Final = r"\||\b(?:pero|creo|aunque|quiza|but|maybe)\b"
_QUESTION_WORD: Final = _any(
    "que|como|cual|cuales|cuanto|cuanta|cuantos|cuantas|cuando|donde|quien|quienes|porque",
    "(?:por|a|de|en|para) que",
    "what|how|why|which|when|where|who|whose",
)
_WONDERING: Final = rf"(?: {_QUESTION_WORD}\b(?:(?!{_TURN}).)*)?"

DONT_KNOW: Final = _phrase(
    _any(
        r"no (?:lo |la |me las? )?(?:se|sabia|sabria|recuerdo|entiendo|comprendo|caigo|conozco)"
        r"(?: (?:hacer|resolver|calcular)\w*)?",
        r"no (?:me|lo) (?:acuerdo|recuerdo|tengo claro)",
        r"ni idea|ni (?:pu\w+|zorra|flowers|papa)(?: idea)?",
        r"no tengo (?:ni |la menor |la mas minima |ninguna )*(?:idea|respuesta)",
        r"se me (?:ha olvidado|olvido)|(?:lo )?he olvidado|desconozco|ignoro|me rindo",
        r"no (?:he estudiado|estudie)|no (?:puedo|quiero) (?:responder\w*|contestar\w*)",
        r"(?:i |we )?(?:do not|dont|don t|did not|didnt|can not|cant) (?:really |even )?"
        r"(?:know|remember|understand|recall|get it)",
        r"(?:i )?(?:have |ve |got )*no (?:idea|clue)",
        r"(?:i am |im |i m )?(?:not sure|unsure)",
        r"(?:i )?(?:have )?forg[eo]t(?:ten)?|beats me|i give up",
    )
    + _WONDERING,
    r"nose|nolose|ns nc|nsnc|ns|nc|npi|idk|idek|dunno|dk|paso|pasopalabra|pass|skip|siguiente|next",
)

PLEA: Final = _phrase(
    r"(?:por favor |please )?"
    + _any(
        r"(?:dime|dimela|dimelo|dame|damela|dinos|decidme|digame|deme|muestrame|ensename|quiero|necesito"
        r"|puedes (?:decir|dar)me|me (?:dices|das))(?: ya| por favor)*(?: (?:la|una|otra|el|los|las|un))?"
        r"(?: (?:respuesta|solucion|resultado|pista|ayuda)\w*)?(?: correcta| buena)?",
        r"cual(?: es| era| seria) la (?:respuesta|solucion)(?: correcta)?",
        r"ayuda(?:me|dme)?|socorro|una pista|pista|explica(?:me|melo)",
        r"(?:just |can you |could you |you )?(?:tell|give|show) me(?: the| an?)?(?: (?:correct|right))?"
        r"(?: (?:answer|solution|hint|clue)s?)?",
        r"what(?: is| s|s)? the (?:correct |right )?answer",
        r"(?:can you |please )?help(?: me)?|i need (?:help|a hint)|a hint|hint|explain it",
    )
)

_NEAR: Final = r"(?: (?!\|)\S+){0,4}? "
ORDER: Final = _phrase(
    r"(?:ignora\w*|olvida\w*|omite|desobedece|ignore|disregard|forget)"
    + _NEAR
    + r"(?:reglas?|normas?|instruccion(?:es)?|criterios?|rules?|instructions?|prompts?|criteria)",
    r"(?:y |and )?(?:marca\w*|califica\w*|acepta\w*|pon\w*|evalua\w*|puntua\w*|mark|grade|accept|score|give|rate)"
    + _NEAR
    + r"(?:correct[oa]?|correctamente|valid[oa]?|como bien|acept\w+|right|true|puntos|points|nota|full marks)",
    r"(?:esta|la|mi|this|my|the) (?:respuesta|answer|reply) (?:es|esta|is) (?:totalmente |completely |100 )?"
    r"(?:correct[oa]?|bien|right|valid[oa]?|accepted)",
    r"(?:verdict|veredicto|label|result|resultado) (?:\| )?(?:accept(?:ed)?|correct[oa]?|aprobad[oa])",
    r"you are (?:now )?(?:an?|the) (?:assistant|grader|teacher|bot|ai)",
    r"eres (?:ahora )?(?:un|el) (?:asistente|evaluador|profesor|bot)",
)

GREETING: Final = _phrase(
    r"hola|holi|buenas(?: (?:tardes|noches))?|buenos dias|que tal|como estas|gracias|adios|hasta luego|vale|ok|okey",
    r"okay|hello|hi|hey|good (?:morning|afternoon|evening)|how are you|thanks|thank you|bye",
)

# A doubt before an answer: "no sé si ...", "not sure, but ...".
HEDGE: Final = re.compile(
    r"(?:^|(?<=\| ))(?:la verdad )?"
    + _any(
        r"no (?:lo )?se(?: (?:muy )?bien| seguro)?",
        r"no estoy segur[oa]",
        r"i (?:do not|dont) know|idk",
        r"(?:i am |im |i m )?not (?:really |very )?sure",
    )
    + r"(?: \||(?= pero| aunque| but)| (?:si|if)(?= )|$)"
)
