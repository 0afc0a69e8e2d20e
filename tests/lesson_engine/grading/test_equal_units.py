"""Quantities are equal in any unit of their kind, named in either language (issue 4, strict kinds)."""

from decimal import Decimal

from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.each import each
from tests.lesson_engine.grading.asks import numeric

EQUAL = {
    ("5", "m"): """
5 m | 5m | 5 m. | 5,0 m | x = 5 m | x=5m | x is 5 m | x es 5 m | 5 m = L | 5 metros | 5 metro
5 metres | 5 meters | 5 meter | 5 mts | 500 cm | 500 centímetros | 500 centimetres | 5000 mm
5000 milímetros | 0,005 km | 0.005 kilómetros | 0.005 kilometres | 50 dm | 5·10⁻³ km | 5e-3 km
5 x 10^3 mm | cinco metros | five metres | 5 metors | 5 mteros | 5 m de largo | 5 m long | 5 (m)
5 [m] | $5\\,\\mathrm{m}$ | 5 \\text{ m} | unos 5 m | 5-m
""",
    ("3/2", "m"): """
1,5 m | 1 1/2 m | 1½ m | 3/2 m | un metro y medio | 1 metro y medio | one and a half metres
a metre and a half | metro y medio | 150 cm | 1 m 50 cm | 1 m y 50 cm | 1 metro 50 centímetros
""",
    ("1/2", "m"): "medio metro | half a metre | half a meter | ½ m | 0.5 metros",
    ("10", "m/s"): """
10 m/s | 10m/s | 10 m / s | 10 m·s⁻¹ | 10 m s^-1 | 10 m.s-1 | 10 metros por segundo
10 metros/segundo | 10 metres per second | 10 meters/second | 10 m/seg | 10 m por s | 36 km/h
36 km/hr | 36 kmh | 36 kph | 36 km por hora | 36 kilómetros por hora | 36 kilometers an hour
36 km a la hora | 36 Km/h | 36 KM/H | v = 10 m/s | 10 \\frac{m}{s} | 0.01 km/s | 600 m/min
""",
    ("9.8", "m/s**2"): """
9.8 m/s² | 9,8 m/s^2 | 9.8 m/s2 | 9.8 m s^-2 | 9.8 m·s⁻² | 9.8 m/s/s
9,8 metros por segundo al cuadrado | 980 cm/s² | 9.8 metres per second squared
9.8 meters per second per second | 9.8 N/kg
""",
    ("20", "N"): "20 N | 20 n | 20 newtons | 20 kg·m/s² | 20 kg*m/s^2 | 20 kg m s^-2 | 0.02 kN | 2·10^1 N | 20N",
    ("12", "N*m"): "12 N·m | 12 N m | 12 Nm | 12 N*m | 12 newton metros | 12 newton-meters | 0.012 kN·m",
    ("12", "J"): "12 J | 12 julios | 12 joules | 12 N·m | 12 W·s | 0,012 kJ | 0.012 kilojulios | 12 kg·m²/s²",
    ("3600000", "J"): "1 kWh | 1 kwh | 1 kW·h | 1 kilovatio hora | 3.6 MJ | 3,6 megajulios",
    (
        "4186",
        "J/(kg*K)",
    ): "4186 J/(kg·K) | 4186 J/(kg K) | 4186 J/kg/K | 4,186 kJ/(kg·K) | 4186 J kg⁻¹ K⁻¹ | 4186 J·kg-1·K-1",
    ("1000", "kg/m**3"): """
1000 kg/m³ | 1000 kg/m3 | 1000 kilogramos por metro cúbico | 1000 kilograms per cubic metre
1 g/cm³ | 1 g/ml | 1 kg/l | 1 g/cc
""",
    ("25", "degC"): """
25 °C | 25ºC | 25 ° C | 25 C | 25 grados | 25 degrees | 25 grados Celsius | 25 degrees Celsius
25 grados centígrados | 25° | 298.15 K | 77 °F | 77 F | 25 ℃ | 25^\\circ C | veinticinco grados
""",
    ("-5", "degC"): """
-5 °C | −5 ºC | 5 grados bajo cero | 5 degrees below zero | minus 5 degrees | menos 5 grados
5 °C bajo cero | cinco grados bajo cero | menos cinco grados
""",
    ("90", "degree"): "90° | 90 º | 90 grados | 90 degrees | noventa grados | 1/4 turn",
    ("2", "m**2"): """
2 m² | 2 m^2 | 2 m2 | 2 metros cuadrados | 2 m cuadrados | 2 square metres | 2 sq m
2 metres squared | 20000 cm² | 0.0002 ha
""",
    ("3", "L"): """
3 L | 3 l | 3 litros | 3 litres | 3 liters | 3 lts | 3000 mL | 3.000 ml | 3 dm³ | 3000 cm³ | 3000 cc
300 cl | 3000 mililitros | 3000 millilitres | 0.003 m³
""",
    ("2", "kg"): """
2 kg | 2Kg | 2 KG | 2 kilos | 2 kilogramos | 2 kilograms | 2 kilogrammes | 2000 g | 2000 gr
2.000 gramos | 0,002 toneladas | dos kilos | two kilograms | 2 kilogrmos
""",
    ("0.25", "A"): """
0.25 A | .25 A | 250 mA | 250 ma | 0.25 amps | 0,25 amperios | 1/4 A | 250 miliamperios
250 milliamps | 250000 µA | 250000 uA | I=250mA | 2,5·10⁻¹ A | un cuarto de amperio
a quarter of an amp | 0.25 C/s
""",
    (
        "4700",
        "ohm",
    ): "4700 Ω | 4.7 kΩ | 4,7 kohm | 4700 ohmios | 4,7 kiloohmios | 4.7 kilo-ohms | 4.7 KΩ | 4700 V/A | 0.0047 MΩ",
    ("50", "Hz"): "50 Hz | 50 hz | 50 hercios | 50 hertz | 50 s⁻¹ | 0,05 kHz | 0.05 kilohercios",
    ("5/2", "h"): """
2.5 h | 2,5 horas | 2 h 30 min | 2 horas y 30 minutos | 2 horas y media | two and a half hours
dos horas y media | 150 min | 2 hours and a half | 2½ hrs
""",
    ("3", "day"): "3 días | 3 days | 3 d | 72 h | tres días",
    (
        "101325",
        "Pa",
    ): "101325 Pa | 101.325 kPa | 1 atm | 1 atmósfera | 1013,25 hectopascales | 1.01325 bar | 101325 N/m²",
    ("50", "%"): "50 % | 50 | 0.5 | 1/2 | half | 50 por ciento | fifty per cent | 50 pct",
    ("5", "euro"): "5 € | €5 | 5€ | €5.00 | 5,00 € | 5 euros | 5 EUR | EUR 5 | cinco euros",
    ("5", "€"): "5 € | 5 euros | €5",
    ("5", "dollar"): "$5 | 5 $ | US$5 | 5 US$ | 5 dollars | 5 dólares | 5 USD | $5.00",
    ("5", "peso"): "$5 | 5 pesos | 5 MXN",
    ("0.5", "mol/L"): "0.5 mol/L | 0,5 mol/l | 0.5 M | 500 mmol/L | 0,5 moles por litro | 0.5 mol/dm³",
}
UNEQUAL = {
    (
        "5",
        "m",
    ): "0.5 m | 50 m | 5 km | 5 mm | 5 s | 5 kg | -5 m | 5 m² | 5 m/s | 500 m | 0,005 m | 5 | 5 manzanas | 5 dm o 5 m",
    ("0.25", "A"): "0.25 mA | 250 A | 25 A | 4 A | 0.25 V | 2.5 A | 0.25 kA | 250 MA | 0.25",
    ("10", "m/s"): "10 km/h | 36 m/s | 10 m | 10 s | 10 m·s | 10 s/m | 36 km",
    ("25", "degC"): "25 K | 25 °F | 298 °C | -25 °C | 25 grados bajo cero",
    ("50", "%"): "5 % | 0.5 % | 500 % | 5 | 0.05",
    ("5", "euro"): "5 $ | 5 dollars | 5 £ | 50 € | 5",
    ("2", "m**2"): "2 m | 2 m³ | 200 cm² | 4 m²",
}


def accepted(value: str, unit: str, text: str, language: str, embed: Embed) -> bool:
    exact = value if "/" in value else Decimal(value)
    asked = numeric(exact, unit=unit, unit_required=unit != "%")
    return grade(asked, Reply(text=text), language=language, embed=embed).result is VerdictResult.ACCEPT


def rows(table: dict[tuple[str, str], str]) -> list[tuple[str, str, str]]:
    return [
        (*key, text.strip()) for key, texts in table.items() for text in texts.strip().replace("\n", " | ").split("|")
    ]


@each("language", ["es", "en"])
@each(("value", "unit", "text"), rows(EQUAL))
def test_units_are_converted(value: str, unit: str, text: str, language: str, embed: Embed) -> None:
    assert accepted(value, unit, text, language, embed)


@each("language", ["es", "en"])
@each(("value", "unit", "text"), rows(UNEQUAL))
def test_other_quantities_stay_wrong(value: str, unit: str, text: str, language: str, embed: Embed) -> None:
    assert not accepted(value, unit, text, language, embed)
