"""ASKs that several tests share, one of each kind."""

from decimal import Decimal
from typing import Any

from lesson_engine.contracts import Ask


def ask(answer: dict[str, Any], question: str = "¿Qué pasa?", **more: Any) -> Ask:
    """An ASK with that answer and nothing else that matters."""
    return Ask.model_validate(
        {"type": "ASK", "code": "q", "question": question, "objective": "Saberlo", "answer": answer, **more}
    )


def numeric(value: str | Decimal, question: str = "¿Cuánto?", **more: Any) -> Ask:
    return ask({"kind": "numeric", "value": value, **more}, question)


OPEN = ask(
    {
        "kind": "open",
        "accepted": [
            "Porque la clorofila refleja la luz verde y absorbe la roja.",
            "La luz verde no se absorbe, rebota en la hoja.",
        ],
        "keyword_groups": [["refleja", "rebota", "devuelve", "no absorbe"], ["verde"]],
    },
    "¿Por qué vemos verdes las hojas?",
    misconceptions=[
        {
            "code": "absorbe_verde",
            "examples": ["Porque absorben la luz verde", "La hoja se queda con el color verde de la luz"],
            "feedback": "Lo que se absorbe **no** llega al ojo.",
        }
    ],
    feedback={"accept": "¡Eso es!", "partial": "Casi.", "reject": "Piensa en lo que rebota."},
)
DEFINITION = ask(
    {
        "kind": "definition",
        "term": "photosynthesis",
        "accepted": ["The process by which plants make their food from light, water and carbon dioxide"],
        "keyword_groups": [["make", "produce", "create"], ["food", "sugar", "glucose"], ["light", "sun", "sunlight"]],
    },
    "What is photosynthesis?",
)
PLAIN = ask({"kind": "open", "accepted": ["oxígeno", "O2"]}, "¿Qué gas liberan las plantas?")
LIST = ask(
    {"kind": "list", "items": [["dióxido de carbono", "CO2"], ["agua", "H2O"], ["luz", "luz solar", "sol"]]},
    "¿Qué tres cosas toma una planta?",
    misconceptions=[
        {
            "code": "tierra",
            "examples": ["tierra, agua y luz", "abono, agua y sol"],
            "feedback": "La tierra no es comida.",
        }
    ],
)
PROCEDURE = ask(
    {
        "kind": "procedure",
        "steps": [
            ["absorber luz", "captar la luz", "luz"],
            ["romper el agua", "agua"],
            ["cargar las baterías", "baterías", "ATP"],
            ["fabricar azúcar", "hacer glucosa", "azúcar"],
        ],
    },
    "Ordena los pasos",
    misconceptions=[
        {"code": "azucar_antes", "examples": ["azúcar, luz, agua, baterías"], "feedback": "El azúcar llega al final."}
    ],
)
NUMERIC = numeric(Decimal("74.4"), tolerance=Decimal("0.5"), unit="kg", unit_required=True)
CHOICE = ask(
    {
        "kind": "choice",
        "choices": [
            {"code": "suelo", "text": "Del suelo", "feedback": "La tierra casi no perdió peso."},
            {"code": "aire", "text": "Del aire", "correct": True, "feedback": "Sí, del aire."},
        ],
    }
)
MULTI = ask(
    {
        "kind": "multi_choice",
        "choices": [
            {"code": "musgo", "text": "El musgo", "correct": True},
            {"code": "alga", "text": "Un alga", "correct": True},
            {"code": "cactus", "text": "Un cactus", "correct": True},
            {"code": "seta", "text": "Una seta", "feedback": "Vive de restos."},
        ],
    }
)
EVERY_KIND = (OPEN, DEFINITION, PLAIN, LIST, PROCEDURE, NUMERIC, CHOICE, MULTI)
