"""The audit log of changes. It contains ids and field names, but never a memory's text or path, or a secret."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

#: A line names at most this many items of a list.
_MANY = 3
#: The value of a field before and after.
Change = list[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change. `tenant_id` is None for a change to the whole installation.

    Attributes:
        id: the entry's id.
        tenant_id: the tenant whose data changed.
        at: the time.
        actor: `key:…`, `oidc:…` or `cli:…`.
        action: the action: `memory.update`, `store.configure`.
        detail: the target by id or name, and for settings their values before and after: `[before, after]`.
    """

    id: str
    tenant_id: str | None
    at: datetime
    actor: str
    action: str
    detail: dict[str, object] = field(default_factory=dict)


def find_changes(before: object, after: object, names: Iterable[str]) -> dict[str, Change]:
    """Return the fields of two values that differ, each as `[before, after]`, for settings that may be logged."""
    pairs = {name: [getattr(before, name), getattr(after, name)] for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def find_changed_keys(before: dict[str, object], after: dict[str, object]) -> dict[str, Change]:
    """Return the keys of two mappings that differ, each as `[before, after]`; None for a missing one."""
    pairs = {key: [before.get(key), after.get(key)] for key in sorted({*before, *after})}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def name_changed_fields(before: object, after: object, names: Iterable[str]) -> list[str]:
    """Return the names of the fields that differ, for values that must not be logged."""
    return [name for name in names if getattr(before, name) != getattr(after, name)]


def say_detail(detail: Mapping[str, object]) -> str:
    """Return what an entry names, in one line: an import names every memory, and the line says how many."""
    return ", ".join(f"{name} {_say(value)}" for name, value in detail.items() if value not in (None, False, {}, []))


def _say(value: object) -> str:
    if isinstance(value, list) and len(value) > _MANY:
        return f"{_say(value[:_MANY])[:-1]}, … {len(value) - _MANY:,} more]"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
