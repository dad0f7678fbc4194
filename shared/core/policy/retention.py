"""Retention in days, by tenant and kind of row. Rows that an undo within its window needs are always kept."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace

from shared.core.errors import BadInputError

_MAX_DAYS = 36_500
#: What no undo needs may go before its window is over; the database checks the others, too.
_FREE = frozenset({"calls", "audit", "deliveries", "searches", "exams", "directives"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """Days. `undo` is the window in which every dream can be undone; the others say when a kind of row may go.

    Attributes:
        undo: a dream that ended within these days can be undone exactly.
        versions: old versions of memories; the newest one of a memory always stays.
        archived: archived, superseded and removed memories, with their versions.
        dreams: dreams with their phases, operations and calls.
        calls: model calls of ended dreams.
        audit: the tenant's audit log.
        sessions: transcripts that were gathered, or silent, this many days ago.
        feedback: corrections, failures, ratings and thumbs.
        workflows: workflow runs.
        skill_uses: which skill was used in which session.
        deliveries: webhook deliveries, with their log.
        searches: the log of searches; of stores that keep none, all of it goes.
        exams: exams of models that newer ones have replaced.
        directives: directives, as many days after a newer version replaced them.
    """

    undo: int = 30
    versions: int = 180
    archived: int = 365
    dreams: int = 180
    calls: int = 90
    audit: int = 730
    sessions: int = 180
    feedback: int = 180
    workflows: int = 180
    skill_uses: int = 180
    deliveries: int = 30
    searches: int = 90
    exams: int = 365
    directives: int = 365

    def __str__(self) -> str:
        """Return it as JSON, as the setting takes it."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidencePolicy:
    """The evidence of whether dreams help. Off, no search is logged, and the retention sweep deletes those that were."""

    log_searches: bool = True


#: The rules in the order in which they run: what refers goes before what is referred to.
RULES: tuple[str, ...] = (
    "calls", "dreams", "versions", "archived", "sessions", "feedback", "workflows", "skill_uses", "deliveries", "searches", "exams", "directives", "audit",
)  # fmt: skip


def get_retention(defaults: RetentionPolicy, overrides: Mapping[str, int]) -> RetentionPolicy:
    """Return a tenant's policy. Raises BadInputError for an unknown rule or days that an undo forbids."""
    known = {field.name for field in fields(RetentionPolicy)}
    unknown = sorted(set(overrides) - known)
    if unknown:
        msg = f"There is no retention rule {unknown[0]!r}; there are {', '.join(sorted(known))}"
        raise BadInputError(msg)
    policy = replace(defaults, **overrides)
    for name in sorted(known):
        days = getattr(policy, name)
        least = 1 if name in _FREE or name == "undo" else policy.undo
        if not least <= days <= _MAX_DAYS:
            why = "" if least == 1 else f", since a dream can be undone for {policy.undo} days"
            msg = f"Retention of {name} is {days} days; it must be {least:,} to {_MAX_DAYS:,}{why}"
            raise BadInputError(msg)
    return policy
