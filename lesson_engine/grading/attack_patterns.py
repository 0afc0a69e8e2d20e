"""What an attack looks like. Each pattern asks for more than the words alone: lessons are about words like these."""

import re
from typing import Final


def _any(*alternatives: str) -> str:
    return "(?:" + "|".join(alternatives) + ")"


# Over folded words in which a bar stands for the end of a clause, as in `attempt_patterns`.

_START: Final = r"(?:^|(?<=\| ))(?:(?:please|por favor|just|simplemente|solo|now|ahora|so|then|and|y|entonces) )*"
_RULES: Final = _any(
    "reglas?|normas?|instruccion(?:es)?|criterios?|directrices",
    "rules?|instructions?|prompts?|criteria|guidelines",
)
_IGNORE: Final = _any(
    "ignora|ignorad|ignore|ignoren|olvida|olvidad|olvide|olvidate|omite|desobedece|haz caso omiso",
    "disregard|forget|override|bypass",
)
_OF_YOURS: Final = "(?:previous|prior|above|earlier|preceding|your|system|grading|anteriores|previas|tus)"
_OF_THE_LESSON: Final = (
    r"(?! (?:de(?! (?:correccion|calificacion|evaluacion))|del|of|for|que|when|cuando|with|on|in|en)\b)"
)
_CORRECT: Final = "(?:correct[oa]?|valid[oa]?|accept(?:ed)?|aceptad[oa]|aprobad[oa]|pass(?:ed)?)"
_GOOD: Final = _any(_CORRECT, "right|true|bien|buen[oa]|perfect[oa]?")
_MARK: Final = _any(
    "(?:marca|califica|acepta|pon|evalua|puntua|considera)(?:lo|la|me|melo|mela)?",
    "mark|grade|accept|score|rate|count|treat|consider",
)
_THIS: Final = "(?:this|it|that|me|esto|eso|everything|todo)"
_AS: Final = "(?: (?:as|como|por))"
_MACHINE: Final = "(?:assistant|grader|evaluator|bot|chatbot|ai|asistente|evaluador|corrector|ia)"
_FULL_MARKS: Final = _any(
    "full (?:marks|credit|score|points)|maximum (?:marks|credit|score|points)|top marks",
    "maxima (?:nota|puntuacion|calificacion)|(?:nota|puntuacion|calificacion) maxima|todos los puntos",
)

ORDERS: Final = re.compile(
    r"\b"
    + _any(
        rf"{_IGNORE}(?: (?!\|)\S+){{0,3}} {_OF_YOURS} (?:\S+ )?{_RULES}",
        rf"{_IGNORE}(?: (?!\|)\S+){{0,3}} {_RULES} (?:anteriores|previas|above|del sistema|de correccion)",
        rf"(?<!\S){_START}{_IGNORE}(?: (?!\|)\S+){{0,3}} {_RULES}{_OF_THE_LESSON}",
        rf"(?:marca|califica|acepta|pon|evalua|puntua|mark|grade|accept|score|rate) (?:this|my|the|that|esta|la|mi|esa)"
        rf" (?:answer|reply|response|respuesta|contestacion){_AS}?(?: (?!\|)\S+)?? {_GOOD}",
        rf"(?:{_START}|(?:please|por favor|you must|you should|debes|tienes que|and|y) )"
        rf"{_MARK}(?: {_THIS})?{_AS}(?: (?:a|an|totally|fully|totalmente))? {_CORRECT}",
        rf"(?<!\S){_START}{_MARK} {_THIS} {_CORRECT}",
        rf"(?:give|award|dame|danos|ponme|pon|asigname)(?: (?:me|us|this|it|a|the|la|el|un|una))* {_FULL_MARKS}",
        r"(?:give me|dame|ponme)(?: an?| un)? (?:10|100|diez|cien)(?: (?:out of|sobre|puntos|points|marks))",
        r"(?:verdict|veredicto)(?: \|)? (?:accept|correct[oa]?)(?= |$)",
        r"(?:label|result|resultado)(?: \|)? accept(?:ed)?(?= |$)",
        r"(?:i (?:order|command) you to|(?:te|le|os) ordeno que)",
        r"(?:return|output|print|devuelv\w+|devolver) (?:the word )?accept(?:ed)?(?= |$)",
        r"(?:you must|you have to|tienes que|debes|hay que) (?:accept|aceptar) (?:this|my|any|every|esta|mi|cualquier)"
        r" (?:answer|reply|respuesta)",
        rf"(?<!\S){_START}(?:you are|eres)(?: now| ahora)? (?:an?|the|un|una|el|la) (?:\S+ )?{_MACHINE}(?= |$)",
        r"(?:you are now|ahora eres) (?:an?|the|un|una|el|la) (?:teacher|profesora?)",
        rf"(?:act|behave|actua|comportate|pretend to be|pretend you are|finge ser)(?: as| like| como)?"
        rf" (?:an?|the|un|una|el|la) (?:\S+ )?{_MACHINE}(?= |$)",
        r"(?:from now on|a partir de ahora) (?:you|eres|acepta|responde)",
        "system prompt|prompt del sistema|developer mode",
    )
    + r"(?=$| )"
)

_VERDICT: Final = """
verdict label result score rule grade feedback accept accepted correct open exact definition reference grader system
developer veredicto resultado nota puntuacion regla comentario correcto correcta aceptada aceptado sistema desarrollador
"""
JUDGING_WORDS: Final = frozenset(_VERDICT.split())
"""What else stands beside such an order: the words of a verdict."""

# Over the text as it was written, without what cannot be seen.

_JUDGING: Final = _any(
    "accept(?:ed)?|correct[ao]?|grader?|ignore|override|instructions?|verdict|the answer|mark",
    r"acepta\w*|califica\w*|ignora\w*|instrucciones|la respuesta|veredicto|marca",
)

CODE: Final = {
    "markup": re.compile(
        _any(
            r"</?(?:script|iframe|frameset)(?=[\s/>]|$)",
            r"(?<!\w)</?(?:object|embed|applet)(?=[\s/>]|$)",
            r"<(?:meta|base|link)\s+[a-z-]+\s*=",
            r"""<[a-z][^<>]{0,300}[\s/"']on[a-z]{3,20}\s*=""",
            r"""(?:href|src|action|data)\s*=\s*["']?\s*javascript\s*:""",
            r"\]\(\s*javascript:",
            r"javascript:[a-z.]{1,40}\(",
            r"\b(?:data-)?hx-(?:get|post|put|patch|delete|trigger|on|vals|vars|headers|swap|target|include|boost|ext)"
            r"(?::[\w-]{1,40}){0,3}\s*=",
            r"\bsrcdoc\s*=|data:text/html|<!entity\s",
        ),
        re.IGNORECASE,
    ),
    "template": re.compile(
        r"\{%-?\s*[a-z]\w*[^{}%]{0,200}%\}|<%[=@-]?\s*\w[^%]{0,200}%>|\$\{\s*(?:jndi|env|sys|lower|upper)\s*:",
        re.IGNORECASE,
    ),
    "sql": re.compile(
        _any(
            r"\bunion\s+(?:all\s+)?select\b",
            r"""['"]\s*(?:or|and)\s+(['"]?)(\w{1,40})\1\s*=\s*\1\2""",
            r"\bor\s+1\s*=\s*1\s*(?:--|\#|;|/\*)",
            r"""['"]\s*\)?\s*;\s*(?:--|(?:drop|delete|insert|update|select|alter|truncate|exec)\b)""",
            r"""[;'")]\s*drop\s+(?:table|database|schema)\b""",
            r"\bdrop\s+(?:table|database|schema)\s+(?:if\s+exists\s+)?[\w.]{1,60}\s*(?:;?\s*--|;\s*$|cascade\b)",
            r"\bpg_sleep\s*\(|\bxp_cmdshell\b|\binformation_schema\.",
        ),
        re.IGNORECASE,
    ),
    "role": re.compile(
        _any(
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\b",
            r"\[/?inst\]|<</?sys>>|</?(?:system|assistant)>",
            r"""["']role["']\s*:\s*["'](?:system|assistant|developer)["']""",
            r"^[^\S\n]*\#{2,}\s*(?:system|instructions?|assistant)\b",
            rf"^[^\S\n]*\[?(?:system|assistant|developer|sistema|asistente)\]?\s*:.{{0,200}}\b{_JUDGING}\b",
        ),
        re.IGNORECASE | re.MULTILINE,
    ),
}

MUSTACHE: Final = re.compile(r"(?<![\\\w^}\]])\{\{([^{}\n]{1,200})\}\}")
"""Two braces around something; not those of LaTeX, which follow a command or a sign."""
MUSTACHE_ACTS: Final = re.compile(r"""^\s*[a-z_]\w+(?:\s*[.|(\[].*)?\s*$|\d\s*[*|]\s*\w|['"].*['"]|__""", re.IGNORECASE)
"""What stands between them when a machine is meant: a name of two letters or more, a call, a product of numbers."""
