"""Tenants and stores, with the state of a store's dreams."""

from dataclasses import dataclass, field
from datetime import datetime

from shared.core.errors import BadInputError
from shared.core.policy.policy import Autonomy, Policy
from shared.core.policy.profiles import get_policy

DEFAULT_STORE = "default"
MAX_NAME_CHARS = 128
_NAME_EXTRA = frozenset("-_.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """A customer: the unit of isolation and fairness. `llm` may name another model, endpoint and key variable."""

    id: str
    weight: int = 1
    max_concurrent_dreams: int = 1
    tokens_per_day: int | None = None
    usd_per_day: float | None = None  # None: no limit; 0: nothing may be spent
    usd_per_month: float | None = None
    paused_at: datetime | None = None
    defer_percent: int = 0  # this share of due stores waits
    llm: dict[str, str] = field(default_factory=dict)
    time_zone: str = "UTC"
    quiet_hours: str = ""  # "22:00-06:00" by the tenant's own clock; empty: none
    locale: str = "en"
    model_calls_per_minute: int | None = None  # None: the installation's number
    model_calls_at_once: int | None = None
    retention: dict[str, int] = field(default_factory=dict)  # days of its own, by rule


def decide_share(tenant_dreams: int, slots: int) -> int:
    """Return how many dreams a tenant may run at once: up to its own limit, but never the installation's last slot.

    The last slot is for another tenant, whose dream would otherwise wait until one of these ends.
    """
    return min(tenant_dreams, max(1, slots - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a store's last check, which explains why it did not dream."""

    at: datetime
    is_open: bool
    gate: str = ""
    reason: str = ""
    retry_at: datetime | None = None
    busy_since: datetime | None = None  # since when a busy agent has delayed it (shared/core/gates/busy_agent.py)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """The memory of one agent, with its settings and dream state. Counts run since the last dream."""

    id: str
    tenant_id: str
    name: str
    profile: str = "default"
    overrides: dict[str, object] = field(default_factory=dict)
    autonomy: Autonomy = Autonomy.FLAG
    llm: dict[str, str] = field(default_factory=dict)  # its own model, endpoint and key variable, before its tenant's
    paused_at: datetime | None = None
    curations: int = 0
    sessions: int = 0
    pending_tasks: int = 0
    active_until: datetime | None = None
    last_activity_at: datetime | None = None
    last_dream_at: datetime | None = None
    last_dream_id: str | None = None
    total_dreams: int = 0
    next_check_at: datetime | None = None
    digest_check_at: datetime | None = None  # upkeep has a line of its own for each kind
    compaction_check_at: datetime | None = None
    last_check_at: datetime | None = None
    last_verdict: Verdict | None = None
    forgiven_at: datetime | None = None  # earlier failures do not count any more
    archived_at: datetime | None = None  # read-only since then
    waiting_sessions: int = 0  # the last dream left them after it had read others: the next one follows at once
    arm: str = ""  # what the store tries out with others of that name; empty: nothing
    arm_set_at: datetime | None = None
    arm_before: dict[str, object] = field(default_factory=dict)  # its settings before it, to be sent back to
    waiting_changes: int = (
        0  # beyond the loss cap, a budget or show.tokens of the last dream, and possible in the next one
    )

    @property
    def policy(self) -> Policy:
        """Return the policy of dreams over this store."""
        return get_policy(self.profile, self.overrides, self.autonomy)

    @property
    def is_quarantined(self) -> bool:
        """Tell whether the last check found the store in quarantine."""
        return self.last_verdict is not None and self.last_verdict.gate == "quarantine"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingMerge:
    """A merge that an earlier dream suggested."""

    source_path: str
    target_path: str
    reason: str
    suggested_by: str


def check_name(kind: str, name: str) -> str:
    """Return a tenant's or store's name, or raise BadInputError with the allowed form."""
    is_plain = name.isascii() and all(ch.isalnum() or ch in _NAME_EXTRA for ch in name)
    if not name or len(name) > MAX_NAME_CHARS or not is_plain or not name[0].isalnum():
        msg = f"{name!r} cannot be a {kind} name: use letters, digits, '-', '_' and '.', at most {MAX_NAME_CHARS}"
        raise BadInputError(msg)
    return name
