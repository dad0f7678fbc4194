"""The base of every answer: published field names, frozen, without characters that the database cannot store.

A choice is read in any case and spacing (`Merge`, `" MERGE "`, `merge-into`). An item with an unknown choice is left
out, so that the others still count; an answer with no other items is refused, and the question is asked again.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel

#: The names under which models, and the published systems, send the ids of sources.
SOURCE_NAMES = AliasChoices("sources", "sourceIds", "source_ids", "sourceMemoryIds", "linkedMemoryIds")
_UNSTORABLE = dict.fromkeys([0, *range(0xD800, 0xE000)])


class Answer(BaseModel):
    """An answer, or a part of one. Unknown fields are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")

    @field_validator("*", mode="before")
    @classmethod
    def _read_nothing(cls, value: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - a validator of every field
        """Read `null` as an empty text in fields that may be left out: models write it for missing values."""
        field = cls.model_fields[info.field_name or ""]
        is_left_out = value is None and field.annotation is str and not field.is_required()
        return field.default if is_left_out else value

    @field_validator("*", mode="before")
    @classmethod
    def _read_choices(cls, value: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - a validator of every field
        """Read a choice in any case and spacing, and leave out items with an unknown choice if others are known."""
        name = info.field_name or ""
        choices = _choices_of(cls).get(name)
        if choices is not None and isinstance(value, str):
            return choices.get(_plain(value), value)
        item = _item_of(cls, name)
        if item is None or not isinstance(value, list | tuple):
            return value
        return [one for one in value if _is_known(item, one)] or value

    @field_validator("*", mode="after")
    @classmethod
    def _drop_what_no_database_holds(cls, value: Any) -> Any:  # noqa: ANN401 - a validator of every field
        """Drop NUL characters and halves of surrogate pairs: JSON can carry them, PostgreSQL cannot store them."""
        if isinstance(value, str):
            return value.translate(_UNSTORABLE)
        is_texts = isinstance(value, tuple) and all(isinstance(item, str) for item in value)
        return tuple(item.translate(_UNSTORABLE) for item in value) if is_texts else value


@cache
def _choices_of(answer: type[Answer]) -> Mapping[str, Mapping[str, str]]:
    """Return the allowed values of each choice field, by their plain spelling."""
    literals = {
        name: [one for one in get_args(field.annotation) if isinstance(one, str)]
        for name, field in answer.model_fields.items()
        if get_origin(field.annotation) is Literal
    }
    return {name: {_plain(one): one for one in allowed} for name, allowed in literals.items()}


@cache
def _item_of(answer: type[Answer], name: str) -> type[Answer] | None:
    """Return the class of the items of a field, if it is a list of answers."""
    field = answer.model_fields.get(name)
    items = get_args(field.annotation) if field is not None and get_origin(field.annotation) is tuple else ()
    return items[0] if items and isinstance(items[0], type) and issubclass(items[0], Answer) else None


def _is_known(item: type[Answer], value: object) -> bool:
    if not isinstance(value, Mapping):
        return True
    given = ((choices, value.get(name)) for name, choices in _choices_of(item).items())
    return all(_plain(word) in choices for choices, word in given if isinstance(word, str))


def _plain(word: str) -> str:
    return "_".join(word[:100].replace("-", " ").replace("_", " ").split()).casefold()
