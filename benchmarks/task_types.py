"""How well the types of tasks are recognised, and the fit of the part that goes by meaning.

`python -m benchmarks.task_types` measures on `tests/data/plans/`; `--fit --data FOLDER` fits the coefficients of
`planning/understanding/data/types_meaning.npz`, where the folder has the public sets. Run it after a change of types.
"""

import argparse
import json
import os
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any, Final

import numpy as np

_LABELLED: Final = Path(__file__).parent.parent / "tests" / "data" / "plans"
# Intents of CLINC150 that are one of our types; those that may be one of several are left out, the rest is general.
_SAME: Final = {
    "book_flight": "flight_booking", "book_hotel": "hotel_booking", "car_rental": "car_rental",
    "restaurant_reservation": "restaurant_booking", "restaurant_suggestion": "restaurant_search",
    "translate": "translation", "recipe": "recipe", "pay_bill": "bill_payment",
    "schedule_meeting": "meeting_scheduling", "cancel_reservation": "booking_cancellation", "uber": "taxi_booking",
}  # fmt: skip
_UNCLEAR: Final = {
    "travel_suggestion", "meal_suggestion", "international_visa", "vaccines", "lost_luggage", "confirm_reservation",
    "order", "schedule_maintenance", "report_fraud", "spending_history", "restaurant_reviews", "cook_time",
    "ingredients_list", "ingredient_substitution", "shopping_list_update", "shopping_list", "calendar_update",
    "oil_change_how", "tire_change", "damaged_card", "text", "calories", "nutrition_info", "accept_reservations",
    "how_busy", "bill_due", "bill_balance", "min_payment", "meeting_schedule", "cancel", "flight_status", "food_last",
    "report_lost_card", "new_card", "taxes", "order_status", "travel_alert", "travel_notification", "todo_list_update",
    "todo_list", "reminder", "reminder_update", "what_are_your_hobbies", "insurance_change", "transfer",
    "rollover_401k",
}  # fmt: skip
_TAILS: Final = {
    "en": ["", "", " in Paris", " for Friday", " for two people", " near me", " under $200", " please"],
    "es": [
        "",
        "",
        " en París",
        " para el viernes",
        " para dos personas",
        " cerca",
        " por menos de 200 €",
        " por favor",
    ],
}
_PER_RULE: Final = 10


def _django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def _made(entry: dict[str, list[str]], language: str, chance: random.Random) -> list[str]:
    """Sentences made from the rules of a type."""
    from planning.understanding.vocabulary import entries_of

    made = []
    for rule in entry["rules"]:
        groups = [entries_of(group, language) for group in rule.removesuffix("!").split()]
        for _ in range(_PER_RULE):
            words = [chance.choice(group).partition("=")[0] for group in groups]
            made.append(" ".join(words) + chance.choice(_TAILS[language]))
    return made


def _accentless(text: str) -> str:
    from language.fold import fold

    return fold(text)


def _training(data: Path) -> list[tuple[str, str, float]]:
    from planning.understanding.types.classifier import types_read

    chance, rows = random.Random(7), []
    for name, entry in types_read().items():
        for language in ("en", "es"):
            for example in entry[language]:
                rows += [(example.lower(), name, 3.0), (_accentless(example), name, 1.0)]
            rows += [(one.lower(), name, 0.5) for one in _made(entry, language, chance)]
    clinc = json.loads((data / "routing" / "clinc150_train_val.json").read_text(encoding="utf-8"))
    for text, intent in clinc["train"] + [[text, "oos"] for text, *_ in clinc["oos_train"]]:
        if intent in _SAME:
            rows.append((text.lower(), _SAME[intent], 0.3))
        elif intent not in _UNCLEAR and chance.random() < 0.25:
            rows.append((text.lower(), "general", 0.3))
    return rows


def _fit(data: Path) -> None:
    from sklearn.linear_model import LogisticRegression

    from gateway.contracts import LOCAL_EMBEDDING_MODEL
    from gateway.services import texts_embed_locally
    from planning.understanding.types.meaning import FILE

    rows = _training(data)
    vectors = texts_embed_locally([text for text, *_ in rows])
    names = [name for _, name, _ in rows]
    model = LogisticRegression(C=10.0, max_iter=2000)
    model.fit(vectors, names, sample_weight=[weight for *_, weight in rows])
    np.savez_compressed(
        FILE,
        names=np.array(model.classes_),
        coefficients=model.coef_.astype(np.float16),
        offsets=model.intercept_.astype(np.float16),
        embedder=np.array(LOCAL_EMBEDDING_MODEL),
    )
    print(f"{len(rows)} sentences, {len(set(names))} types: {FILE}")


def measure(rows: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """The rows whose type is not found: task, type wanted, type found."""
    from language.detect import language_of
    from planning.understanding.types.classifier import task_type_of

    found = [(row["task"], row["task_type"], task_type_of(row["task"], language_of(row["task"]))) for row in rows]
    return [(task, wanted, got) for task, wanted, got in found if got not in re.split(r"\|", wanted)]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _clinc_rows(data: Path) -> list[dict[str, Any]]:
    clinc = json.loads((data / "routing" / "clinc150_train_val.json").read_text(encoding="utf-8"))
    return [
        {"task": text, "task_type": _SAME.get(intent, "general")}
        for text, intent in clinc["val"]
        if intent not in _UNCLEAR
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--fit", action="store_true")
    asked = parser.parse_args()
    _django()
    if asked.fit:
        _fit(asked.data)
    sets = {
        path.stem: [json.loads(line) for line in path.open(encoding="utf-8")]
        for path in _LABELLED.glob("task_types*.jsonl")
    }
    if asked.data:
        sets["CLINC150, validation part"] = _clinc_rows(asked.data)
    for name, rows in sets.items():
        missed = measure(rows)
        print(f"{name}: {1 - len(missed) / len(rows):.1%} of {len(rows)}")
        for task, wanted, got in missed[:60]:
            print(f"  {task!r}: {got}, not {wanted}")
        print("  ", Counter(f"{wanted} -> {got}" for _, wanted, got in missed).most_common(12))


if __name__ == "__main__":
    main()
