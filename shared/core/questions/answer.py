"""The base of every answer: published names on the wire, frozen, and no character that the database cannot store."""

from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, field_validator
from pydantic.alias_generators import to_camel

#: The names under which models, and the published systems, send the ids that something rests on.
SOURCE_NAMES = AliasChoices("sources", "sourceIds", "source_ids", "sourceMemoryIds", "linkedMemoryIds")
_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)])


class Answer(BaseModel):
    """An answer, or a part of one. Unknown fields are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")

    @field_validator("*", mode="after")
    @classmethod
    def _drop_what_no_database_holds(cls, value: Any) -> Any:  # noqa: ANN401 - a validator of every field
        """Drop NUL characters and halves of surrogate pairs: JSON can carry them, PostgreSQL cannot store them."""
        if isinstance(value, str):
            return value.translate(_UNSTORABLE)
        is_texts = isinstance(value, tuple) and all(isinstance(item, str) for item in value)
        return tuple(item.translate(_UNSTORABLE) for item in value) if is_texts else value
