"""A value is found by what its name means, never by a name that means the opposite."""

from evaluation.checking.finding import best, candidates
from evaluation.checking.naming import target_of
from evaluation.checking.walk import result_read


def path(field: str, subject: str | None, result: object, operator: str = "<=") -> str | None:
    found = best(candidates(result_read(result), target_of(field, subject, operator)))
    return found[0].node.path if found else None


FOUND: list[tuple[str, str | None, object, str]] = [
    ("quality", "hotel", {"flight": {"quality": 5}, "hotel": {"quality": 8}}, "hotel.quality"),
    ("quality", "hotel", {"hotelQuality": 8, "price": 1}, "hotelQuality"),
    ("quality", "hotel", {"hotel": {"Guest Rating": 8}}, "hotel.Guest Rating"),
    ("calidad", "hotel", {"hotel": {"quality": 8}}, "hotel.quality"),
    ("price", None, {"price": 1, "price_min": 2}, "price"),
    ("precio", None, {"total_cost": 3}, "total_cost"),
    ("duration", None, {"duration_min": 45, "distance_km": 3}, "duration_min"),
    ("distance", None, {"duration-min": 45, "distance-km": 3}, "distance-km"),
    ("hints", None, {"attempts": 4, "hintsUsed": 2}, "hintsUsed"),
    ("pistas", None, {"hint_count": 2}, "hint_count"),
    ("llegada", None, {"departure_time": "9:00", "arrival_time": "10:00"}, "arrival_time"),
    ("price_per_night", None, {"hotel": {"price": {"total": 9, "per_night": 3}}}, "hotel.price.per_night"),
    ("max_price", None, {"price": 4}, "price"),
    ("dirección", None, {"Direccion": "x"}, "Direccion"),
    ("reviews", "product", {"product": {"number_of_reviews": 4, "rating": 3}}, "product.number_of_reviews"),
]
STRANGERS: list[tuple[str, str | None, object]] = [
    ("arrival", None, {"departure": "9:00"}),
    ("check_in", None, {"check_out": "2026-01-01"}),
    ("price", None, {"max_price": 4}),
    ("price", None, {"previous_price": 4}),
    ("price", None, {"price_id": 4}),
    ("quality", "hotel", {"flight": {"quality": 5}}),
    ("quality", None, {"quantity": 5}),
    ("refundable", None, {"non_refundable": True}),
    ("bedrooms", None, {"bathrooms": 2}),
    ("price", None, {"filters": {"price": 4}}),
    ("correct", None, {"incorrect": 4}),
]


def test_names_that_mean_the_same_are_found() -> None:
    faults = [(field, wanted, got) for field, of, result, wanted in FOUND if (got := path(field, of, result)) != wanted]
    assert faults == []


def test_opposites_bounds_and_other_things_are_not_taken_for_it() -> None:
    assert [(field, got) for field, of, result in STRANGERS if (got := path(field, of, result)) is not None] == []
