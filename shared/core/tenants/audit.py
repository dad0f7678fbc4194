"""The audit log of changes. It contains ids and field names, but never a memory's text or path, or a secret."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

#: A line names at most this many items of a list.
_MANY = 3
#: The value of a field before and after: `{"from": …, "to": …}`.
Change = dict[str, object]
_CHANGE = frozenset({"from", "to"})
#: A line shows this much of a checksum.
_OF_CHECKSUM = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change. `tenant_id` is None for a change to the whole installation.

    Attributes:
        id: the entry's id.
        tenant_id: the tenant whose data changed.
        at: the time.
        actor: `key:…`, `oidc:…` or `cli:…`.
        action: the action: `memory.update`, `store.configure`.
        detail: the target by id or name, and for settings their values before and after: a `Change`.
    """

    id: str
    tenant_id: str | None
    at: datetime
    actor: str
    action: str
    detail: dict[str, object] = field(default_factory=dict)


def as_change(before: object, after: object) -> Change:
    """Return a value before and after, as entries have it."""
    return {"from": before, "to": after}


def find_changes(before: object, after: object, names: Iterable[str]) -> dict[str, Change]:
    """Return the fields of two values that differ, for settings that may be logged."""
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in names}
    return {name: as_change(*pair) for name, pair in pairs.items() if pair[0] != pair[1]}


def find_changed_keys(before: dict[str, object], after: dict[str, object]) -> dict[str, Change]:
    """Return the keys of two mappings that differ; None for a missing one."""
    pairs = {key: (before.get(key), after.get(key)) for key in sorted({*before, *after})}
    return {key: as_change(*pair) for key, pair in pairs.items() if pair[0] != pair[1]}


def name_changed_fields(before: object, after: object, names: Iterable[str]) -> list[str]:
    """Return the names of the fields that differ, for values that must not be logged."""
    return [name for name in names if getattr(before, name) != getattr(after, name)]


def say_detail(detail: Mapping[str, object]) -> str:
    """Return what an entry names, in one line: an import names every memory, and the line says how many."""
    shown = {name: value for name, value in detail.items() if value not in (None, False, {}, [])}
    return "; ".join(f"{_say_name(name)}: {_say_field(name, value)}" for name, value in shown.items())


def _say_name(name: str) -> str:
    return name.removesuffix("_id").replace("_", " ")


def _say_field(name: str, value: object) -> str:
    return f"{str(value)[:_OF_CHECKSUM]}…" if name == "sha256" else _say(value)


def _say(value: object) -> str:
    match value:
        case None | "":
            return "none"
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return f"{value:,}".removesuffix(".0")
        case dict() if value.keys() == _CHANGE:
            return f"{_say(value['from'])} → {_say(value['to'])}"
        case dict():
            return ", ".join(f"{key} {_say(one)}" for key, one in value.items())
        case list():
            more = f" and {len(value) - _MANY:,} more" if len(value) > _MANY else ""
            return ", ".join(map(_say, value[:_MANY])) + more
    return str(value)
