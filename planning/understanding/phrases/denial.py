"""Tasks that begin with what is not to be done. Words: `data/denials.json`."""

import re
from functools import cache
from typing import Final

from language.fold import fold_in_place, plain_signs
from language.word_lists import json_file
from planning.understanding.phrases.core import opening_end
from planning.understanding.vocabulary import DATA, verb_base

_FILE: Final = DATA / "denials.json"
_CLAUSE: Final = {
    "en": re.compile(r"[,;.:!]+\s*(?:but |instead |rather |just )*|\s+but\s+(?:rather |instead )?|\s+[-–—]\s+"),
    "es": re.compile(r"[,;.:!]+\s*(?:pero |sino |mejor |solo )*|\s+(?:pero|sino)\s+(?:que )?|\s+[-–—]\s+"),
}
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(json_file(_FILE)[name].split())


@cache
def _refusal(language: str) -> re.Pattern[str]:
    lines = sorted(json_file(_FILE)["refusals"][language], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, lines))})(?![\w'])\s*")


def affirmed(task: str, language: str) -> str:
    """The task after a denial at its beginning ("don't book ..., find ..."); empty where nothing follows."""
    start = opening_end(task, language)
    folded = plain_signs(fold_in_place(task), dashes=False)
    denial = _refusal(language).match(folded, start)
    if not denial or not _is_verb_denied(folded[denial.end() : denial.end() + 80], denial.group().strip(), language):
        return task
    end = _CLAUSE[language].search(folded, denial.end())
    return task[end.end() :].strip() if end else ""


def _is_verb_denied(rest: str, refusal: str, language: str) -> bool:
    words = [word for word in _WORD.findall(rest)[:5] if word not in _listed("skipped")]
    if not words:
        return refusal not in {"stop", "no", "skip"}
    verb = words[0]
    if verb in _listed("still_wanted"):
        return False
    doing = refusal in json_file(_FILE)["with_doing"][language].split("|")
    if language == "en":
        return not doing or verb.endswith("ing") or refusal in {"forget about", "never mind", "nevermind", "skip"}
    if doing or refusal in {"nunca", "jamas", "en ningun caso", "bajo ningun concepto", "de ninguna manera"}:
        return doing is False or verb.endswith(("ar", "er", "ir")) or refusal.startswith("olv")
    base = verb_base(verb, "es")
    if verb in _listed("irregular") or verb == base:
        return True
    endings = ("e", "es", "en", "emos") if (base or "").endswith("ar") else ("a", "as", "an", "amos")
    return base is not None and verb.endswith(endings)
