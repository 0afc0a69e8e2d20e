import pytest

from reflection.redaction import is_secret_name


@pytest.mark.parametrize(
    "name",
    ["APIkey", "APIKey", "api_key", "userPassword", "PASSWORDs", "EMail", "card-number", "claveAPI", "codigoPin"],
)
def test_names_of_secrets_are_known_however_they_are_written(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["hotel", "keyboard", "cardinality", "qualityScore", "monkey"])
def test_other_names_are_not(name: str) -> None:
    assert not is_secret_name(name)
