"""Read signals and dates from a file's frontmatter, as written by ByteRover, RockBot and SwarmClaw."""

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from shared.core.memory.model import Maturity, Signals, Tier

_CREATED_KEYS = ("createdAt", "created_at", "created", "firstSeenAt", "first_seen_at")
_UPDATED_KEYS = ("updatedAt", "updated_at", "updated", "modified")
_SEEN_KEYS = ("lastSeenAt", "last_seen_at", "lastAccessedAt", "last_accessed_at")
_REINFORCED_KEYS = ("reinforcementCount", "reinforcement_count")
_ACCESSED_KEYS = ("accessCount", "access_count")
#: ByteRover writes importance from 0 to 100, together with one of these. RockBot writes it from 0 to 1 and counts
#: repetitions, unlike ByteRover. Alone, a number up to 1 may be on either scale.
_BYTEROVER_COMPANIONS = ("maturity", "accessCount", "recency")
#: The largest count that a PostgreSQL integer holds.
_MAX_COUNT = 2**31 - 1
#: Numbers above this are milliseconds since 1970, as JavaScript writes them (in seconds it would be the year 5138).
_MILLISECONDS_FROM = 10**11
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_signals(fields: Mapping[str, object]) -> Signals:
    """Return importance (0 to 100), maturity, tier, counts, last seen and pinned; invalid values become the defaults."""
    default = Signals()
    importance = _read_importance(fields)
    return Signals(
        importance=default.importance if importance is None else importance,
        maturity=_read_maturity(fields.get("maturity")) or default.maturity,
        tier=_read_tier(fields.get("tier")) or default.tier,
        access_count=_first_count(fields, _ACCESSED_KEYS),
        reinforcement_count=_first_count(fields, _REINFORCED_KEYS),
        pinned=fields.get("pinned") is True,
        last_seen_at=_first_date(fields, _SEEN_KEYS),
    )


def read_dates(fields: Mapping[str, object], *, mtime_ns: int) -> tuple[datetime | None, datetime]:
    """Return when the file was created, or None, and when it was updated, by default the file system's time."""
    created = _first_date(fields, _CREATED_KEYS)
    updated = _first_date(fields, _UPDATED_KEYS) or created or _from_nanoseconds(mtime_ns)
    return created, updated


def _read_importance(fields: Mapping[str, object]) -> float | None:
    value = fields.get("importance")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        return None
    if value > 1:
        return float(value)
    if any(key in fields for key in _REINFORCED_KEYS):
        return value * 100.0
    return float(value) if any(key in fields for key in _BYTEROVER_COMPANIONS) else None


def _read_maturity(value: object) -> Maturity | None:
    try:
        return Maturity(str(value).strip().lower())
    except ValueError:
        return None


def _read_tier(value: object) -> Tier | None:
    try:
        return Tier(str(value).strip().lower())
    except ValueError:
        return None


def _first_count(fields: Mapping[str, object], keys: tuple[str, ...]) -> int:
    counts = (_read_count(fields.get(key)) for key in keys)
    return next((found for found in counts if found is not None), 0)


def _read_count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MAX_COUNT else None


def _first_date(fields: Mapping[str, object], keys: tuple[str, ...]) -> datetime | None:
    dates = (_read_date(fields.get(key)) for key in keys)
    return next((found for found in dates if found is not None), None)


def _read_date(value: object) -> datetime | None:
    """Read a date in any form that YAML yields; without a zone it is UTC, and invalid values are None."""
    if isinstance(value, datetime):
        return _as_utc(value)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_epoch(value / 1000 if value >= _MILLISECONDS_FROM else value) if value >= 10**9 else None
    try:
        return _as_utc(datetime.fromisoformat(value.strip())) if isinstance(value, str) else None
    except ValueError:
        return None


def _as_utc(moment: datetime) -> datetime | None:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        return None


def _from_epoch(seconds: float) -> datetime | None:
    try:
        return _EPOCH + timedelta(seconds=seconds) if math.isfinite(seconds) else None
    except OverflowError:
        return None


def _from_nanoseconds(mtime_ns: int) -> datetime:
    """Convert exactly; times outside of the calendar, which a file system may have, become 1970."""
    try:
        return _EPOCH + timedelta(microseconds=mtime_ns // 1000)
    except OverflowError:
        return _EPOCH
