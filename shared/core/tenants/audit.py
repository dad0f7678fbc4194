"""The audit log: who changed what. It names things by ids and fields; never a memory's text or path, never a secret."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

#: What a field was, and what it is.
Change = list[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change. `tenant_id` is None for what an operator did to the whole installation.

    Attributes:
        id: its own.
        tenant_id: whose things were changed.
        at: when.
        actor: `key:…`, `oidc:…` or `cli:…`; who it was.
        action: what was done: `memory.update`, `store.configure`.
        detail: the target by its id or name, and for settings what they were before and after: `[before, after]`.
    """

    id: str
    tenant_id: str | None
    at: datetime
    actor: str
    action: str
    detail: dict[str, object] = field(default_factory=dict)


def find_changes(before: object, after: object, names: Iterable[str]) -> dict[str, Change]:
    """Return the fields of two values that differ, each as `[before, after]`. For settings, whose values may be told."""
    pairs = {name: [getattr(before, name), getattr(after, name)] for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def find_changed_keys(before: dict[str, object], after: dict[str, object]) -> dict[str, Change]:
    """Return the keys of two mappings that differ, each as `[before, after]`; None for what is not there."""
    pairs = {key: [before.get(key), after.get(key)] for key in sorted({*before, *after})}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def name_changed_fields(before: object, after: object, names: Iterable[str]) -> list[str]:
    """Return the names of the fields that differ, where values are nobody else's business."""
    return [name for name in names if getattr(before, name) != getattr(after, name)]
