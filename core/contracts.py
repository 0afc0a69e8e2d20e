"""The base of every value that crosses a layer."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """A frozen value that refuses unknown fields and can also be read by key, as the sources' tests do."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def __getitem__(self, key: str) -> Any:
        """The field named `key`; raises `KeyError` for a name that is no field."""
        if key in type(self).model_fields:
            return getattr(self, key)
        raise KeyError(key)
