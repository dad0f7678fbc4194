"""Decide on a stored value in which something stands that is to be forgotten."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from shared.core.forgetting.json_values import replace_in_json, strings_of_json
from shared.core.forgetting.words import Finder, replace_in


class Treatment(StrEnum):
    """The way to deal with a row in which words stand that are to be forgotten."""

    REWRITTEN = "the statement is taken out, as a new version"
    REPLACED = "the words are replaced"
    RENAMED = "it gets another name"
    EMPTIED = "it is emptied, with what was made of it"
    DELETED = "the row is deleted"
    TOLD = "it is told, and a person changes it"


#: Keys in what dreams record whose values are slowwave's own words or ids.
_OWN_KEYS = frozenset(
    {
        "id", "kind", "type", "phase", "state", "review", "author", "maturity", "tier", "op", "memory_id", "operation_id",
        "dream_id", "superseded_by", "successor_id", "version", "created_at", "updated_at", "touched_at", "last_seen_at",
        "fingerprint", "code",
    }
)  # fmt: skip
#: The tables in whose JSON these keys are slowwave's; elsewhere they may be anybody's.
_OWN_TABLES = frozenset({"operations", "dreams", "stores"})


@dataclass(frozen=True, slots=True)
class RowPlan:
    """The change of one row: it is deleted, or these columns are set. `told` are those that a person has to change."""

    is_deleted: bool
    values: Mapping[str, Any]
    told: tuple[str, ...]
    found: tuple[tuple[str, Treatment, str], ...]  # the columns where it stands, and a text of each


def plan_row(
    table: str, values: Mapping[str, Any], treatments: Mapping[str, Treatment], find: Finder, mark: str
) -> RowPlan:
    """Return what becomes of a row.

    Args:
        table: its table.
        values: its columns that can hold a text, as text, list of texts or JSON.
        treatments: what happens to each of them.
        find: what is to be forgotten.
        mark: replaces the words in a name, which has to stay the only one.
    """
    said = {name: next((text for text in _texts_of(value) if find(text)), None) for name, value in values.items()}
    found = tuple((name, treatments[name], text) for name, text in said.items() if text is not None)
    how = {name: treatment for name, treatment, _ in found}
    changed: dict[str, Any] = {}
    for name, treatment in how.items():
        if treatment is Treatment.REPLACED:
            own = _OWN_KEYS if table in _OWN_TABLES else frozenset[str]()
            changed[name] = _without(values[name], find, own)
        elif treatment is Treatment.RENAMED:
            changed[name] = replace_in(values[name], find, mark)
    if Treatment.EMPTIED in how.values():
        changed |= dict.fromkeys((name for name, one in treatments.items() if one is Treatment.EMPTIED), None)
    return RowPlan(
        is_deleted=Treatment.DELETED in how.values(),
        values=changed,
        told=tuple(name for name, one in how.items() if one is Treatment.TOLD),
        found=found,
    )


def _texts_of(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - a text, a list or any JSON
    return tuple(strings_of_json(value))


def _without(value: Any, find: Finder, own: frozenset[str]) -> Any:  # noqa: ANN401 - as above
    if isinstance(value, str) and value[:1] in {"{", "["}:
        try:
            return json.dumps(replace_in_json(json.loads(value), find), ensure_ascii=False)
        except ValueError:
            pass
    return replace_in_json(value, find, own=own)
