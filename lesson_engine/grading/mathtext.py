"""Mathematical signs and LaTeX in the one spelling in which numbers and units are looked for. Nothing is worked out."""

import re
from typing import Final

_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUPERSCRIPT_RUN = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_VULGAR = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
_SIGNS: Final = str.maketrans(
    {
        sign: plain
        for plain, signs in {"-": "−–—‐‑‒", "/": "⁄∕÷", "·": "⋅∙‧", "×": "✕✖⨯", "'": "’‘", ".": "٫"}.items()
        for sign in signs
    }
)

_LATEX: Final = (
    (re.compile(r"\\\\|\\[()\[\]]"), " "),
    (re.compile(r"\$([^$]{1,200})\$"), r" \1 "),
    (re.compile(r"\\(?:left|right|displaystyle|boxed)(?![a-zA-Z])"), ""),
    (re.compile(r"\\(?:text|mathrm|textrm|mathbf|operatorname)\s?\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\(?:quad|qquad)\b|\\[,;:! ]|~(?=\\)"), " "),
    (re.compile(r"\\(?:cdot|ast)(?![a-zA-Z])"), "·"),
    (re.compile(r"\\times(?![a-zA-Z])"), "×"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\pm(?![a-zA-Z])"), "±"),
    (re.compile(r"\\sqrt(?![a-zA-Z])"), "√"),
    (re.compile(r"\\approx(?![a-zA-Z])"), "≈"),
    (re.compile(r"\\pi(?![a-zA-Z])"), "π"),
    (re.compile(r"\\mu(?![a-zA-Z])"), "μ"),
    (re.compile(r"\\Omega(?![a-zA-Z])"), "Ω"),
    (re.compile(r"\^?\s?(?:\{\s?\\circ\s?\}|\\circ(?![a-zA-Z]))|\\degree(?![a-zA-Z])"), "°"),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\{([.,])\}"), r"\1"),
    (re.compile(r"\^\s?\{\s?([+-]?\d+)\s?\}"), r"^\1"),
    (re.compile(r"\\[dt]?frac\s?(\d)\s?(\d)"), r" \1/\2 "),
    (re.compile(r"\\[dt]?frac\s?\{\s?([+-]?\d{1,9})\s?\}\s?\{\s?([+-]?\d{1,9})\s?\}"), r" \1/\2 "),
    (re.compile(r"\\[dt]?frac\s?\{([^{}]{1,20})\}\s?\{([^{}]{1,20})\}"), r" \1/(\2) "),
)
_LATEX_SIGNS: Final = frozenset("\\${")

_POWER_SIGN = re.compile(r"(?<=[\d)])\s?\*\*\s?(?=[-+(]?\d)|(?<=\w)\*\*(?=[-+(]?\d)")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__?(?=\S)|(?<=\S)__?(?!\w)|`")
_AROUND_POWER = re.compile(r"\s*\^\s*(?=[-+(]?\s?\d)")
_PLUS_MINUS = re.compile(r"(?:±|\+ ?/ ?-|\+ ?-)\s?([\d.,]*\d)")
_MONEY_FIRST = re.compile(r"(?:\bUS)?([€$£¥]|\b(?:EUR|USD|GBP|MXN)\b)\s?([+-]?[\d.,' ]*\d)(?! ?(?:€|\$|£|¥))")
_UNIT_POWER = re.compile(r"(?<=[A-Za-z\d][·. ])([A-Za-zΩ]{1,3})-(?=[1-4]\b)")
_DECIMAL_APOSTROPHE = re.compile(r"(?<=\d)'(?=\d{1,2}(?!\d))")
_MARKED_DIGITS = re.compile(r"(?:\d[\u0302\u0304\u0305\u0307])+")
_RECURRING_WORD = re.compile(r"(?<=[\d.,])(\d) (?:recurring|repeating|peri[oó]dic[oa])\b", re.IGNORECASE)
_ROOT = re.compile(
    r"(?:\bsqrt|\bra[ií]z(?: cuadrada| c[uú]bica)?(?: de)?|\b(?:square |cube )?root(?: of)?"
    r"|\b(?:twice|double)(?: of)?|\b(?:half|third|quarter|mitad|tercio|cuarto|parte|doble|triple) (?:of|de))"
    r"\s?(?=\(?\d)",
    re.IGNORECASE,
)
"""What makes another number of the one after it, here marked as a root is."""
_RATIO = re.compile(r"(\s*(?:[a-z]\s?=\s?)?\d{1,9}) ?: ?(\d{1,9})(\s*)", re.IGNORECASE)


def raise_powers(text: str) -> str:
    """Before NFKC, which makes "103" of "10³" and "112" of "1½"."""
    return _VULGAR.sub(" ", _SUPERSCRIPT_RUN.sub(lambda run: "^" + run[0].translate(_SUPERSCRIPTS), text))


def plain_signs(text: str) -> str:
    """A cleaned text without LaTeX and emphasis, with one sign for minus, times, over, power and recurring digits."""
    if not _LATEX_SIGNS.isdisjoint(text):
        for pattern, sign in _LATEX:
            text = pattern.sub(sign, text)
    text = _MARKED_DIGITS.sub(lambda digits: "(" + re.sub(r"\D", "", digits[0]) + ")", text.translate(_SIGNS))
    text = _EMPHASIS.sub("", _POWER_SIGN.sub("^", text))
    text = _UNIT_POWER.sub(r"\1^-", _AROUND_POWER.sub("^", text))
    text = _RECURRING_WORD.sub(r"(\1)", _DECIMAL_APOSTROPHE.sub(",", text))
    text = _ROOT.sub("√", _PLUS_MINUS.sub(r"\1 ; -\1", text))
    text = _MONEY_FIRST.sub(r"\2 \1", text)
    # Alone it is a fraction; within a text "12:30" may be anything.
    return f"{ratio[1]}/{ratio[2]}" if (ratio := _RATIO.fullmatch(text)) else text
