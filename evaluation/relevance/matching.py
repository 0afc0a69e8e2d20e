"""How much of what a task asks for is found in a result: word by word, by form and by meaning, and as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.services import texts_embed_locally
from language.word_lists import word_set
from planning.understanding.known import Known, canonical_of

from .limits import is_written
from .request import Request, Term
from .result import Content
from .words import TEXTS, WORDS, Word, alike, meaning_words, plain_text, words_and_numbers

_CHUNKS: Final = 36
_WORDS: Final = 4
"""Words of a chunk that is compared with one word of the task."""
_SENTENCE: Final = 60
_VALUES: Final = 300
_TEXT: Final = 14
"""Spaces from which a value is a text of its own."""
_WORD: Final = 30
_NOTHING, _SAME = 0.42, 0.80
"""Cosines of two words by the local embedder: unrelated ones, and one word in two languages. Measured on
tests/data/relevance."""


@dataclass(frozen=True, slots=True)
class Match:
    """How a result fits a task, each 0 to 1 but for the cosines `whole` and `values`.

    `main`: that the thing itself is there; `words`: the share of the terms that is found; `whole`: task and result as
    sentences; `values`: the terms and what the result says, without the names of its fields; `names`: the share of the
    task's names that is found, 1 where it has none. `denied` counts terms that the result says are not so, `unwanted`
    negated ones that it says are so.
    """

    main: float
    words: float
    whole: float
    values: float
    names: float = 1.0
    denied: int = 0
    unwanted: int = 0


def match_of(request: Request, content: Content, known: Sequence[Known]) -> Match:
    """`known` is what of the result is known."""
    words = _words(content)
    forms_known = {entry.canonical: entry.negated for entry in sorted(known, key=lambda entry: not entry.negated)}
    forms = {term: _by_form(term, words, forms_known) for term in request.terms}
    wanted = [term for term in request.terms if not term.negated]
    joined = _short([term.word for term in wanted]) or "nothing"
    open_terms = [term.word[:_WORD] for term in wanted if forms[term] is None]
    sentences = [_short(request.topic.split()), _sentence(content), joined, _values(content)]
    first, chunks = len(sentences) + len(open_terms), _chunks(content)
    vectors = texts_embed_locally([*sentences, *open_terms, *chunks])
    cosines = vectors @ vectors.T
    rows = cosines[len(sentences) : first, first:]
    likeness = ((float(row.max(initial=0.0)) - _NOTHING) / (_SAME - _NOTHING) for row in rows)
    nearest = {word: max(0.0, min(1.0, share)) for word, share in zip(open_terms, likeness, strict=True)}
    shares = {
        term: nearest[term.word[:_WORD]] if form is None else max(0.0, form)
        for term in wanted
        for form in (forms[term],)
    }
    kinds = {term for term in wanted if forms[term] is None and _is_kind(term, request, content)}
    others = max((share for term, share in shares.items() if term not in kinds), default=1.0)
    shares |= {term: max(shares[term], others) for term in kinds}  # a letter is one as far as it is about the rest
    return Match(
        main=_main(request, shares, forms_known),
        words=sum(shares.values()) / len(shares) if shares else 0.0,
        whole=float(cosines[0, 1]),
        values=float(cosines[2, 3]),
        names=_named(request.names, shares),
        denied=sum(forms[term] == -1.0 for term in wanted),
        unwanted=sum(term.negated and form == 1.0 for term, form in forms.items()),
    )


def _main(request: Request, shares: Mapping[Term, float], forms_known: Mapping[str, bool]) -> float:
    if not request.objects:
        return max(shares.values(), default=0.0)
    words = {*request.thing, *words_and_numbers(request.objects[0])}
    by_word = [
        share for term, share in shares.items() if term.word in words or request.objects[0] in canonical_of(term.word)
    ]
    return max((*by_word, float(request.objects[0] in forms_known)))


def _is_kind(term: Term, request: Request, content: Content) -> bool:
    """Whether the word says what kind of text is wanted, and the result is one: a letter does not call itself so."""
    if term.word not in word_set(TEXTS, "written") or not is_written(request):
        return False
    return any(isinstance(entry.value, str) and entry.text.count(" ") >= _TEXT for entry in content.entries)


def _named(names: Sequence[str], shares: Mapping[Term, float]) -> float:
    words = {word for name in names for word in words_and_numbers(name)}
    named = [share for term, share in shares.items() if term.word in words]
    return sum(named) / len(named) if named else 1.0


def _by_form(term: Term, words: Sequence[Word], forms_known: Mapping[str, bool]) -> float | None:
    """1 where the word or one that means the same is there, -1 where it is only there negated; None where it is not."""
    negated = [word.negated for word in words if alike(term.word, word.word)]
    negated += [forms_known[form] for form in canonical_of(term.word) if form in forms_known]
    if not negated:
        return None
    return -1.0 if all(negated) else 1.0


def _words(content: Content) -> list[Word]:
    words: dict[Word, None] = {}
    empty = word_set(WORDS, "stop")
    for entry in content.entries:
        own = meaning_words(" ".join(entry.keys), empty)
        words |= dict.fromkeys(Word(word, negated is not entry.is_none) for word, negated in own)
        words |= dict.fromkeys(Word(word, False) for word in entry.above[: len(entry.above) - len(entry.keys)])
        words |= dict.fromkeys(meaning_words(entry.text, empty))
    plain = {word for word, _ in words}
    words |= {Word(word, False): None for name in content.names for word in name if word not in plain}
    return list(words)


def words_of_content(content: Content) -> dict[str, bool]:
    words: dict[str, bool] = {}
    for word, negated in _words(content):
        words[word] = words.get(word, True) and negated
    return words


def _chunks(content: Content) -> list[str]:
    """Names and short values, and the words of longer ones: what one word of a task may be compared with."""
    names: dict[str, None] = {}
    values: dict[str, None] = {}
    for entry in content.entries:
        names |= dict.fromkeys([" ".join(entry.keys)] if entry.keys else [])
        for part in plain_text(entry.text).replace(";", ",").replace(". ", ",").split(","):
            words = [word for word in words_and_numbers(part) if not word.isdigit()]
            if words and len(words) <= _WORDS:
                values[" ".join(words)] = None
            elif words:
                empty = word_set(WORDS, "stop")
                values |= dict.fromkeys(word for word in words if word not in empty and len(word) > 3)
    for name in content.names:
        names |= dict.fromkeys([" ".join(name)] if name else [])
    half = _CHUNKS // 2
    chosen = [*list(names)[: max(half, _CHUNKS - len(values))], *values][:_CHUNKS]
    return [chunk for chunk in dict.fromkeys(_short(chunk.split()) for chunk in chosen) if chunk]


def _sentence(content: Content) -> str:
    words: list[str] = []
    last: tuple[str, ...] = ()
    for entry in content.entries:
        name = " ".join(entry.keys)
        value = entry.text if not isinstance(entry.value, bool) else ("yes" if entry.value else "no")
        words += (f"{name}: {value}," if name and entry.keys != last else f"{value},").split()[:_SENTENCE]
        last = entry.keys
        if len(words) >= _SENTENCE:
            break
    return _short(words) or "nothing"


def _values(content: Content) -> str:
    texts = ", ".join(entry.text for entry in content.entries if isinstance(entry.value, str))
    return _short(texts[:_VALUES].split()) or "nothing"


def _short(words: Sequence[str]) -> str:
    """Words to embed, cut: longer ones take long and say no more."""
    return " ".join(word[:_WORD] for word in words[:_SENTENCE])
