"""Periods that questions name, in both languages, with their days, the year and the side that is meant."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from analysis.requirements.periods import Period, periods_of
from tests.each import each

Y = 2023
WORDS = [
    "2023",
    "may",
    "May",
    "mayo",
    "12",
    "29",
    "feb",
    "February",
    "2024-02-29",
    "1/1/0001",
    "31/12/9999",
    "99/99/99",
    "q1",
    "Q4",
    "2023Q2",
    "T1",
    "2S",
    "h1",
    "first",
    "last",
    "primer",
    "último",
    "quarter",
    "trimestre",
    "half",
    "semestre",
    "from",
    "to",
    "de",
    "a",
    "al",
    "hasta",
    "-",
    "–",
    "and",
    "y",
    "since",
    "until",
    "before",
    "between",
    "entre",
    "1990s",
    "the",
    "90s",
    "años",
    "90",
    "década",
    "of",
    "in",
    "el",
    "la,",
    ".",
    "%",
    "ü",
    "ſ",
    "İ",
    "ß",
    "29",
    "de",
    "febrero",
    "3",
    "March",
    "30",
    "2100",
    "1600",
    "0",
]


def only(text: str) -> Period:
    (period,) = periods_of(text)
    return period


def days(period: Period) -> tuple[str, str]:
    return (period.low.isoformat(), period.high.isoformat())


@each(
    "text, low, high",
    [
        ("sales in 2023", "2023-01-01", "2023-12-31"),
        ("durante el año 2023", "2023-01-01", "2023-12-31"),
        ("in May 2023", "2023-05-01", "2023-05-31"),
        ("en mayo de 2023", "2023-05-01", "2023-05-31"),
        ("mayo del 2023", "2023-05-01", "2023-05-31"),
        ("MAYO 2023", "2023-05-01", "2023-05-31"),
        ("Dec. 2023", "2023-12-01", "2023-12-31"),
        ("mayo/2023", "2023-05-01", "2023-05-31"),
        ("may-2023", "2023-05-01", "2023-05-31"),
        ("2023-05", "2023-05-01", "2023-05-31"),
        ("05/2023", "2023-05-01", "2023-05-31"),
        ("feb 2024", "2024-02-01", "2024-02-29"),
        ("12 May 2023", "2023-05-12", "2023-05-12"),
        ("May 12th, 2023", "2023-05-12", "2023-05-12"),
        ("el 3 de junio de 2024", "2024-06-03", "2024-06-03"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("31/12/2023", "2023-12-31", "2023-12-31"),
        ("12/31/2023", "2023-12-31", "2023-12-31"),
        ("1.2.24", "2024-02-01", "2024-02-01"),
        ("Q1 2023", "2023-01-01", "2023-03-31"),
        ("2023-Q2", "2023-04-01", "2023-06-30"),
        ("T3 2023", "2023-07-01", "2023-09-30"),
        ("4T 2023", "2023-10-01", "2023-12-31"),
        ("first quarter of 2023", "2023-01-01", "2023-03-31"),
        ("tercer trimestre del año 2023", "2023-07-01", "2023-09-30"),
        ("last quarter of 2023", "2023-10-01", "2023-12-31"),
        ("second half of 2022", "2022-07-01", "2022-12-31"),
        ("último semestre de 2022", "2022-07-01", "2022-12-31"),
        ("primera mitad de 2021", "2021-01-01", "2021-06-30"),
        ("H2 2023", "2023-07-01", "2023-12-31"),
        ("1S 2023", "2023-01-01", "2023-06-30"),
        ("the 1990s", "1990-01-01", "1999-12-31"),
        ("in the 2010s", "2010-01-01", "2019-12-31"),
        ("the 90s", "1990-01-01", "1999-12-31"),
        ("los años 80", "1980-01-01", "1989-12-31"),
        ("la década de 1990", "1990-01-01", "1999-12-31"),
        ("the decade of the 1990s", "1990-01-01", "1999-12-31"),
    ],
)
def test_a_period_has_its_first_and_its_last_day(text: str, low: str, high: str) -> None:
    period = only(text)
    assert (days(period), period.edge) == ((low, high), "in")
    assert period.year == int(low[:4])


@each(
    "text, low, high",
    [
        ("sales in March", "2000-03-01", "2000-03-31"),
        ("en febrero", "2000-02-01", "2000-02-29"),
        ("in may", "2000-05-01", "2000-05-31"),
        ("el 5 de mayo", "2000-05-05", "2000-05-05"),
        ("q3", "2000-07-01", "2000-09-30"),
        ("tercer trimestre", "2000-07-01", "2000-09-30"),
        ("from May to July", "2000-05-01", "2000-07-31"),
        ("entre el 1 y el 15 de marzo", "2000-03-01", "2000-03-15"),
    ],
)
def test_without_a_year_the_days_are_of_2000_and_can_be_of_any(text: str, low: str, high: str) -> None:
    period = only(text)
    assert (days(period), period.year) == ((low, high), None)
    assert only(text).of_year(Y).low.isoformat() == low.replace("2000", "2023")
    assert period.of_year(Y).year == Y


def test_29_february_of_another_year_is_the_28th() -> None:
    assert only("el 29 de febrero").of_year(Y).low == date(2023, 2, 28)


@each(
    "text, low, high",
    [
        ("from 2019 to 2021", "2019-01-01", "2021-12-31"),
        ("entre 2019 y 2021", "2019-01-01", "2021-12-31"),
        ("2019-2021", "2019-01-01", "2021-12-31"),
        ("2019 – 2021", "2019-01-01", "2021-12-31"),
        ("desde 2019 hasta 2021", "2019-01-01", "2021-12-31"),
        ("since 2019 until 2021", "2019-01-01", "2021-12-31"),
        ("from May to July 2023", "2023-05-01", "2023-07-31"),
        ("May-July 2023", "2023-05-01", "2023-07-31"),
        ("de noviembre a febrero de 2023", "2022-11-01", "2023-02-28"),
        ("between November 2022 and February 2023", "2022-11-01", "2023-02-28"),
        ("del 1 al 15 de marzo de 2023", "2023-03-01", "2023-03-15"),
        ("March 1-15, 2023", "2023-03-01", "2023-03-15"),
        ("from 1 March to 15 April 2023", "2023-03-01", "2023-04-15"),
        ("from 29 February to 3 March 2023", "2023-02-28", "2023-03-03"),
        ("between 2023-01-01 and 2023-01-31", "2023-01-01", "2023-01-31"),
        ("enero y febrero de 2023", "2023-01-01", "2023-02-28"),
    ],
)
def test_the_ends_of_a_range_are_one_period(text: str, low: str, high: str) -> None:
    period = only(text)
    assert (days(period), period.edge) == ((low, high), "in")


@each(
    "text, count",
    [("compare 2019 and 2021", 2), ("2019 vs 2021", 2), ("from 2021 to 2019", 2), ("2022, 2023 and 2024", 3)],
)
def test_periods_beside_each_other_stay_apart(text: str, count: int) -> None:
    assert len(periods_of(text)) == count


@each(
    "text, edge, phrase",
    [
        ("sales since 2020", "from", "since 2020"),
        ("desde mayo de 2020", "from", "desde mayo de 2020"),
        ("a partir del 1 de enero de 2020", "from", "a partir del 1 de enero de 2020"),
        ("from 2020 on", "from", "from 2020"),
        ("de 2020 en adelante", "from", "de 2020"),
        ("after June 2022", "after", "after June 2022"),
        ("después de junio de 2022", "after", "después de junio de 2022"),
        ("until 2019", "until", "until 2019"),
        ("hasta el 5 de mayo de 2020", "until", "hasta el 5 de mayo de 2020"),
        ("by the end of 2022", "until", "by the end of 2022"),
        ("before the year 2020", "before", "before the year 2020"),
        ("antes de mayo", "before", "antes de mayo"),
        ("ventas de 2023", "in", "2023"),
        ("sales from 2023", "in", "2023"),
    ],
)
def test_the_words_before_a_period_say_which_side_is_meant(text: str, edge: str, phrase: str) -> None:
    period = only(text)
    assert (period.edge, text[period.start : period.end]) == (edge, phrase)


def test_two_open_periods_are_two() -> None:
    first, second = periods_of("after 2020 and before 2023")
    assert (first.edge, second.edge) == ("after", "before")


@each(
    "text",
    [
        "may we see",
        "a mar abierto",
        "last quarter",
        "el último semestre",
        "2023-13-01",
        "2023-02-29",
        "30 de febrero",
        "99/99/9999",
        "1/1/0001",
        "20 %",
        "in 2023%",
        "1999.5",
        "x2023",
        "people in their 90s",
        "20 años",
        "3 to 20 units",
        "",
        "this year",
        "31-5 May",
    ],
)
def test_what_is_no_period_or_cannot_be_known_is_none(text: str) -> None:
    assert periods_of(text) == []


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)))
def test_any_text_is_read_and_places_are_its_own(text: str) -> None:
    last = 0
    for period in periods_of(text):
        assert period.low <= period.high
        assert 0 <= period.start < period.end <= len(text)
        assert period.end > last
        last = period.end
        assert period.of_year(2021).low.year == 2021
