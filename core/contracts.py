"""The base of every value that crosses a layer, and ids as texts."""

from typing import Any, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """A frozen value that refuses unknown fields and can also be read by key, as the sources' tests do."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def __getitem__(self, key: str) -> Any:
        """The field named `key`; raises `KeyError` for a name that is no field."""
        if key in type(self).model_fields:
            return getattr(self, key)
        raise KeyError(key)

    @classmethod
    def from_object(cls, source: object, **others: Any) -> Self:
        """A value with the attributes of `source` that are named as its fields, but for those in `others`."""
        fields = {name: getattr(source, name) for name in cls.model_fields if name not in others}
        return cls.model_validate(fields | others, from_attributes=True)


def uuid_of(text: str) -> UUID | None:
    """The id that a text is, blanks around it aside; None for any other text."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None
