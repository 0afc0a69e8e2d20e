"""The grammar of criteria, on a list of cases that anyone can extend. Source: docs/criteria.md."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from planning.contracts import SuccessCriterion
from planning.criteria import CriterionKind, Operator, ValueType, criterion_parse, lexicon

_ROOT = Path(__file__).parents[3]
_CASES = _ROOT / "tests" / "data" / "criteria" / "cases.jsonl"
_PAGE = _ROOT / "docs" / "criteria.md"
_DENIALS = {
    "en": ("not", "no", "never", "without", "if", "unless", "maybe", "less", "almost"),
    "es": ("no", "sin", "nunca", "ningún", "si", "salvo", "quizá", "menos", "casi"),
}
_DENIED_ONCE = re.compile(r"\b(no|sin|libre de)\b.*\b(ningún|ni un)\b|\bsin ni un\b")
"""In Spanish two such words deny once: "sin ningún gluten"."""
_UNSAID = {"subject": None, "count": False, "every": False, "unit": None, "currency": None}


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in _CASES.read_text(encoding="utf-8").splitlines()]


def test_every_case_is_parsed_as_meant() -> None:
    wrong = [fault for row in cases() if (fault := _fault(row))]
    assert not wrong, "\n".join(wrong)


def _fault(row: dict[str, Any]) -> str | None:
    parse, wanted = criterion_parse(row["text"]), row["parse"]
    if parse is None or wanted is None:
        return None if parse is None and wanted is None else f"{row['text']}: {parse and parse.normal}"
    found = parse.model_dump(mode="json")
    differs = {
        name: found[name]
        for name, value in {**_UNSAID, **wanted, "language": row["lang"]}.items()
        if found[name] != value
    }
    return f"{row['text']}: {differs}" if differs else None


def test_there_are_two_hundred_cases_in_both_languages() -> None:
    languages = [row["lang"] for row in cases()]
    assert len({row["text"] for row in cases()}) >= 200
    assert min(languages.count("en"), languages.count("es")) >= 100
    kinds = {row["parse"]["kind"] for row in cases() if row["parse"]}
    assert kinds == {kind.value for kind in CriterionKind}


def test_scenario_4_criteria_are_measurable_and_verifiable() -> None:
    """RF-007, scenario 4, its three criteria as written."""
    texts = (
        "Resort has beginner/intermediate slopes",
        "No advanced-only resorts recommended",
        "User confirms recommendation",
    )
    for text in texts:
        criterion = SuccessCriterion(text=text)
        assert criterion.measurable
        assert criterion.verifiable
    slopes = criterion_parse(texts[0])
    assert slopes is not None
    assert slopes.options == ["beginner slopes", "intermediate slopes"]


def test_scenario_6_criteria_have_their_normal_forms() -> None:
    """RF-007, scenario 6."""
    written = ("Hotel quality >= 7", "Price within budget ($200)", "User confirms")
    normal = ["quality >= 7", "price <= 200", "user confirms"]
    assert [SuccessCriterion(text=text).normal for text in written] == normal


def test_no_word_that_denies_is_ever_lost() -> None:
    """Put anywhere into a criterion, it changes what is understood, or nothing is."""
    lost = []
    for row in cases():
        parse = criterion_parse(row["text"])
        words = row["text"].split()
        for at in range(len(words) + 1 if parse else 0):
            for denial in _DENIALS[row["lang"]]:
                text = " ".join([*words[:at], denial, *words[at:]])
                same = criterion_parse(text) == parse
                if same and not (row["lang"] == "es" and _DENIED_ONCE.search(text.lower())):
                    lost.append(text)
    assert not lost, "\n".join(lost)


def test_two_criteria_are_not_read_as_one() -> None:
    rows = [row for row in cases() if row["parse"] and row["parse"]["kind"] in ("comparison", "presence", "verdict")]
    chance = random.Random(7)
    read = []
    for row in rows:
        other = chance.choice([one for one in rows if one["lang"] == row["lang"] and one["text"] != row["text"]])
        joint = {"en": ("and", "or", "but not"), "es": ("y", "o", "pero no")}[row["lang"]]
        texts = [f"{row['text']} {word} {other['text']}" for word in joint]
        read += [text for text in texts if (parse := criterion_parse(text)) and not _holds_both(parse)]
    assert not read, "\n".join(read)


def _holds_both(parse: Any) -> bool:
    """Whether what was read has both halves: a choice between two, or the two ends of a range."""
    return bool(parse.options) or parse.kind is CriterionKind.RANGE


def test_a_normal_form_reads_as_what_it_was_made_of() -> None:
    said = ("kind", "field", "operator", "value", "low", "high", "exclusive")
    wrong = []
    for row in cases():
        parse = criterion_parse(row["text"])
        if parse is None:
            continue
        again = criterion_parse(parse.normal)
        if again is None and parse.kind is CriterionKind.PRESENCE:
            continue  # of a bare name nobody can tell what it asks for: "projector"
        differ = [name for name in said if getattr(again, name, "nothing") != getattr(parse, name)]
        if differ or again is None or again.normal != parse.normal:
            wrong.append(f"{row['text']} | {parse.normal}: {', '.join(differ) or again}")
    assert not wrong, "\n".join(wrong)


def test_month_and_day_in_numbers_are_a_date_only_where_one_is_asked_for() -> None:
    dates = (
        "check-in date == 12-15", "check_in == 12-15", "delivery <= 12-15", "arrival before 12-15", "deadline: 12-15",
        "report generated < 12-15", "hearing == 03-01", "entrega <= 12-15", "llegada == 12-15", "check-in != 12-15",
    )  # fmt: skip
    others = (
        "guests == 12-15",
        "ages == 10-12",
        "pages <= 12-15",
        "price 10-12",
        "budget == 10-12",
        "check-in < 12-32",
    )
    wrong = [text for text in dates if not (parse := criterion_parse(text)) or parse.value_type is not ValueType.DATE]
    wrong += [text for text in others if (parse := criterion_parse(text)) and parse.value_type is ValueType.DATE]
    assert not wrong, "\n".join(wrong)


def test_capitals_accents_and_spaces_do_not_matter() -> None:
    plain = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
    differ = []
    for row in cases():
        parse = criterion_parse(row["text"])
        if row["lang"] == "es" and parse and parse.kind is not CriterionKind.MEMBERSHIP:
            bare = criterion_parse(f"  {row['text'].translate(plain)}  .")
            if bare is None or (bare.kind, bare.operator, bare.value) != (parse.kind, parse.operator, parse.value):
                if isinstance(parse.value, str) and bare is not None:
                    continue  # the value is text, without its accents too
                differ.append(row["text"])
        shouted = criterion_parse(row["text"].lower())
        if parse and parse.kind is CriterionKind.COMPARISON and (shouted is None or shouted.normal != parse.normal):
            differ.append(row["text"].lower())
    assert not differ, "\n".join(differ)


def test_the_examples_of_the_page_hold() -> None:
    page = _PAGE.read_text(encoding="utf-8")
    understood, left_alone = page.split("## What is not understood")
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", understood, re.MULTILINE)
    assert len(rows) >= 50
    wrong = [
        f"{text}: {parse and parse.normal}"
        for text, normal in rows
        if (parse := criterion_parse(text)) is None or parse.normal != normal
    ]
    texts = re.findall(r"^\| `(.+?)` \| [^`]+ \|$", left_alone, re.MULTILINE)
    assert len(texts) >= 12
    wrong += [f"{text}: understood" for text in texts if criterion_parse(text) is not None]
    assert not wrong, "\n".join(wrong)


def test_hostile_text_is_read_quickly_or_not_at_all() -> None:
    pieces = [
        "a ",
        ">= 7 ",
        '"',
        "'",
        "1,",
        "1 000 ",
        "at least ",
        "((",
        "x-",
        "no ",
        "between 1 and 2 ",
        "A, ",
        "a.",
        "n 1 ",
    ]
    pieces += [
        "\u0301",
        "\u202e",
        "\ufdfa",
        "٣",
        "½",
        "🙂 ",
        "\x00",
        "$",
        "-",
        "— ",
        "100-",
        "12/12/2026 ",
        "de la ",
        "ni ",
    ]
    for piece in pieces:
        text = (piece * 500)[:500]
        criterion_parse(text)
    assert criterion_parse("quality >= 7" + " " * 600) is None
    assert criterion_parse("") is None
    assert criterion_parse("\ufdfa" * 400) is None


def test_words_thrown_together_never_fail() -> None:
    chance = random.Random(11)
    for language in ("en", "es"):
        words = sorted(phrase for entries in lexicon.lexicon(language).entries.values() for phrase in entries)
        extra = [
            "7",
            "$200",
            "12:30",
            "2026-12-15",
            "4 km",
            "hotel",
            "user",
            "(",
            ")",
            ",",
            "{",
            "}",
            "%",
            "-",
            "Paris",
        ]
        for _ in range(1500):
            text = " ".join(
                chance.choice(words if chance.random() < 0.6 else extra) for _ in range(chance.randint(1, 9))
            )
            parse = criterion_parse(text[:500])
            assert parse is None or parse.normal


def test_a_fault_in_a_data_file_names_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text, said in (
        ("en.txt", "[compare >=]\nat least\n[sometimes]\n", "en.txt, line 3"),
        ("en.txt", "at least\n", "en.txt, line 1"),
        ("en.txt", "# words\n[not]\nnot |  | never\n", "en.txt, line 3"),
    ):
        for file in lexicon.DATA.glob("*.txt"):
            (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
        with monkeypatch.context() as patched:
            patched.setattr(lexicon, "DATA", tmp_path)
            with pytest.raises(ValueError, match=said):
                lexicon.lexicon.__wrapped__("en")


def test_what_is_compared_is_named_by_the_value_where_nobody_says() -> None:
    named = {
        text: getattr(criterion_parse(text), "field", None) for text in ("under $20", "under 20 km", "under 20 min")
    }
    assert list(named.values()) == ["price", "distance", "duration"]
    parse = criterion_parse("under 2 kg")
    assert parse is not None
    assert (parse.field, parse.unit, parse.operator, parse.value_type) == (
        "weight",
        "kilogram",
        Operator.LESS_THAN,
        ValueType.NUMBER,
    )
