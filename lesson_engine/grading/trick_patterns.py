"""How replies deny, hedge and talk about themselves, over folded words with a bar for the end of a clause."""

import re
from typing import Final

from .phrase_lists import any_of

DENIES: Final = re.compile(
    r"^(?:\| |and |y |but |pero |that |que )*"
    + any_of(
        r"(?:it |that )?(?:is|s) (?:not (?:true|so|the case|right|correct)|false|untrue|a lie|a myth|wrong|incorrect)"
        r"(?: to (?:say|think|believe))?",
        r"(?:it )?isnt (?:true|so)",
        r"(?:nobody|no one) (?:should |would |can )?(?:believes?|thinks?|says?)",
        r"i (?:do not|dont|can not|cant) (?:think|believe|agree)|i (?:deny|doubt)|false \|",
        r"no es (?:verdad|cierto|asi|correcto|el caso)|(?:es |seria )?(?:falso|mentira|incorrecto|un error|un mito)",
        r"no (?:creo|pienso|opino|estoy de acuerdo en)",
        r"nadie (?:deberia |debe |puede )?(?:creer|cree|piensa|pensar|dice)",
        r"niego|dudo",
    )
    + r"(?: \|)?(?: (?:that|que))?(?: \|)?(?: |$)"
)
"""The start of a sentence that denies the rest of it."""

TAKES_BACK: Final = re.compile(
    r"^(?:\| |and |y |but |pero |no |que va |well |bueno )*"
    + any_of(
        r"not?|nope|nah",
        r"(?:it |that |this |eso |esto )?(?:all )?(?:is|s|es|era|esta)(?: all| todo)? "
        r"(?:false|wrong|untrue|a lie|not (?:true|so|right|the case)|falso|mentira|mal|incorrecto|al reves)",
        r"(?:eso |esto )?no es (?:verdad|cierto|asi)|(?:that |it )?isnt (?:true|so|right)",
        r"false|wrong|falso|mentira|(?:just )?(?:kidding|joking)|es (?:una )?broma",
        r"(?:lo contrario|the opposite|the contrary)(?: (?:tambien|also))? (?:is|es) (?:also |tambien )?"
        r"(?:true|right|correct|verdad|cierto)(?: as well| too| tambien)?",
    )
    + r"(?: \|)*$"
)
"""A sentence that takes back the one before it, or says that its opposite is true too."""

EITHER: Final = re.compile(
    r"(?:(?<= )|^)"
    + any_of(
        r"or else|or|either|it (?:may|might|could) (?:also )?be(?: that)?|maybe|perhaps",
        r"o si no|o|u|(?:tambien )?puede (?:ser )?que|quizas?|tal vez|a lo mejor",
    )
    + r"(?= |$)"
)
"""Between things of which the reply leaves it open which one it means."""

SAYS_NOTHING: Final = re.compile(
    r"(?:(?<= )|^)(?:i know that|se que|(?:con |y )?lo que hacen?|(?:and )?(?:about )?what (?:it|they) do(?:es)?"
    r"|as the (?:text|book|lesson) says|como dice (?:el|la) (?:texto|libro|leccion))(?= |$)"
)

ABOUT_ITSELF: Final = re.compile(
    r"(?:(?<= )|^)"
    + any_of(
        r"(?:reference|model|sample|expected) answers?|answers? (?:that )?you expect|answer key",
        r"respuestas? (?:de referencia|modelo|esperada|que esperas)|la referencia|the reference",
        r"(?:esta|la|mi|tu|this|my|the|your) (?:respuesta|answer|reply)\b(?:(?! \|).)*? (?:es|esta|is|seems|parece)"
        r" (?:\S+ ){0,4}?(?:correct[ao]?|right|valid[ao]?|bien|accepted|aceptada)(?= ?(?:\||$)| ac)",
        r"(?:please |por favor |just |y |and )*(?:accept|acepta)(?:la|lo|melo|mela)?"
        r"(?: (?:it|this|that|my|the|esta|mi|la))?(?: (?:answer|reply|respuesta))?"
        r"(?: (?:please|por favor))?(?= ?(?:\||$))",
        r"(?:lo mismo|the same|same|lo|what) (?:que |as |thing )?(?:i )?(?:puse|dije|escribi|wrote|said|put)(?= |$)",
        r"(?:every|all the|each|todas las|cada) (?:key ?)?(?:words?|palabras?|ideas?|keywords?)(?: clave)?"
        r" (?:that |que )?(?:you|i|of|del?|la|buscas?|esperas?|quieres)\b",
        r"(?:the )?(?:reason|cause|answer|explanation) (?:is )?(?:the \S+ |what (?:was )?|as )?"
        r"(?:said |given |written )?above",
        r"(?:el |la )?(?:motivo|causa|razon|respuesta|explicacion)(?: es)?(?: el| la| lo)?(?: que)?(?: se)?(?: ha)?"
        r"(?: (?:dicho|dado|escrito))? arriba",
        r"(?:exactly |just )?what (?:should|must|has to) happen|(?:justo )?lo que tiene que pasar",
        r"(?:the |this |el |la |este |esta )?(?:student|learner|pupil|alumn[oa]|estudiante) (?:has |ha )?"
        r"(?:answered|replied|respondido|contestado|respondio|contesto)(?: \S+)?"
        r" (?:correctly|right|correctamente|bien)",
        r"(?:correct|right) answer(?: \|)* accepted|respuesta correcta(?: \|)* aceptada",
        r"(?:the|my) dog ate (?:it|my \S+)|se l[ao] comio (?:el|mi) perro",
        r"(?:but )?it was (?:right|correct)|pero estaba bien",
        r"(?:please |so |asi que )*(?:say|di|dime|pon) (?:that |que )?(?:it is|it s|its|esta) (?:right|correct|bien)",
        r"(?:every|any|all) (?:the )?answers?(?: (?!\|)\S+){0,5} (?:counts?|is|are)(?: as)? (?:right|correct)",
        r"(?:todas? las|cualquier) respuestas?(?: (?!\|)\S+){0,5}? (?:vale|valen|(?:es|son) (?:correctas?|buenas?))",
        r"aprueb[ae]me|(?:please )?let me pass",
        r"(?:eres|you are) (?:el|la|the) (?:mejor|best) (?:profe\w*|maestr[ao]|teacher|tutor)",
        r"(?:ya )?se la respuesta(?: \|)?(?= pero)|i know the answer(?: \|)?(?= but)",
        r"(?:pero )?ahora no puedo escribirla|i (?:just )?can not write it (?:now|down)",
        r"mine is (?:right|correct|too)|la mia tambien",
        r"(?:ignora|ignore|ignorez|ignoriere) (?:le|as|les|die) (?:regole|regras|regles|regeln)",
        r"(?:if|si) (?:i fail|suspendo|repruebo)(?: \|)?(?: (?:my parents|mis padres)(?: \S+){1,4}?)?"
        r"(?= ?(?:\||$)| (?:so|asi) )",
    )
    + r"(?= |$)"
)
"""Talk about the answer itself, or about how it will be judged."""
