"""Replies that look like attacks: orders to the grader, and code meant for machines.

A flag for staff, never a verdict: a good answer that quotes markup is accepted like any other. What the question's
author wrote as well is no attack: in a lesson on SQL, SQL is an answer. A pattern asks for more than the words alone.
"""

import re
from collections.abc import Iterator
from typing import Final

from lesson_engine.contracts import Ask, Reply, Verdict

from .andamio_3.fold import clean
from .attempts import attempt_pattern
from .lexicon import small_talk
from .normalise import line_of
from .phrase_lists import any_of
from .vocabulary import authored_texts

# Over folded words in which a bar stands for the end of a clause.

_START: Final = r"(?:^|(?<=\| ))(?:(?:please|por favor|just|simplemente|solo|now|ahora|so|then|and|y|entonces) )*"
_RULES: Final = any_of(
    "reglas?|normas?|instruccion(?:es)?|criterios?|directrices",
    "rules?|instructions?|prompts?|criteria|guidelines",
)
_IGNORE: Final = any_of(
    "ignora|ignorad|ignore|ignoren|olvida|olvidad|olvide|olvidate|omite|desobedece|haz caso omiso",
    "disregard|forget|override|bypass",
)
_OF_YOURS: Final = "(?:previous|prior|above|earlier|preceding|your|system|grading|anteriores|previas|tus)"
_OF_THE_LESSON: Final = (
    r"(?! (?:de(?! (?:correccion|calificacion|evaluacion))|del|of|for|que|when|cuando|with|on|in|en)\b)"
)
_CORRECT: Final = "(?:correct[oa]?|valid[oa]?|accept(?:ed)?|aceptad[oa]|aprobad[oa]|pass(?:ed)?)"
_GOOD: Final = any_of(_CORRECT, "right|true|bien|buen[oa]|perfect[oa]?")
_MARK: Final = any_of(
    "(?:marca|califica|acepta|pon|evalua|puntua|considera)(?:lo|la|me|melo|mela)?",
    "mark|grade|accept|score|rate|count|treat|consider",
)
_THIS: Final = "(?:this|it|that|me|esto|eso|everything|todo)"
_AS: Final = "(?: (?:as|como|por))"
_MACHINE: Final = "(?:assistant|grader|evaluator|bot|chatbot|ai|asistente|evaluador|corrector|ia)"
_FULL_MARKS: Final = any_of(
    "full (?:marks|credit|score|points)|maximum (?:marks|credit|score|points)|top marks",
    "maxima (?:nota|puntuacion|calificacion)|(?:nota|puntuacion|calificacion) maxima|todos los puntos",
)

ORDERS: Final = re.compile(
    r"\b"
    + any_of(
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
        r"(?:from now on|a partir de ahora) (?:you|eres|estas en|acepta|responde)",
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

_JUDGING: Final = any_of(
    "accept(?:ed)?|correct[ao]?|grader?|ignore|override|instructions?|verdict|the answer|mark",
    r"acepta\w*|califica\w*|ignora\w*|instrucciones|la respuesta|veredicto|marca",
)

CODE: Final = {
    "markup": re.compile(
        any_of(
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
        any_of(
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
        any_of(
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


WORDS_OF_A_VERDICT = 3
"""So many of them make a reply of no other words a forged verdict."""


def looks_like_attack(ask: Ask, reply: Reply, verdict: Verdict) -> bool:
    """Whether the reply is of a kind that nothing of its question is. Pure, and bounded as grading is."""
    text = "\n".join((reply.text, *reply.choices))
    kinds = set(attack_kinds(text))
    if verdict.rule == "attempt.order":
        kinds.add("order")
    return bool(kinds) and not kinds <= _authored_kinds(ask)


def attack_kinds(text: str) -> Iterator[str]:
    """Which kinds of attack a text shows: order, markup, template, sql, role."""
    if ORDERS.search(line_of(text)):
        yield "order"
    shown = clean(text)
    yield from (kind for kind, pattern in CODE.items() if pattern.search(shown))
    if any(MUSTACHE_ACTS.search(match[1]) for match in MUSTACHE.finditer(shown)):
        yield "template"


def is_only_orders(text: str) -> bool:
    """Whether nothing is left of a reply but small talk and words of a verdict, once its orders are out."""
    line = line_of(text)
    left = [word for clause in line.split("|") if not ORDERS.search(clause) for word in clause.split()]
    if not ORDERS.search(line) and len(JUDGING_WORDS.intersection(left)) < WORDS_OF_A_VERDICT:
        return False
    return all(word in small_talk() or word in JUDGING_WORDS or word.replace(".", "").isdigit() for word in left)


def _authored_kinds(ask: Ask) -> frozenset[str]:
    # By the looser rule too, which names whole replies: "The answer is right" may be what is asked for.
    texts = authored_texts(ask)
    orders = {"order" for text in texts if attempt_pattern("order").search(line_of(text))}
    return frozenset(orders).union(*(attack_kinds(text) for text in texts))
