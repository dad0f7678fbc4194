"""Gates decide whether a store may dream now: cheapest first, the first closed gate wins, each with reason and numbers.

Nothing is read from the database here: facts are passed in as one value, and the verdict is returned as one. Order and wording
are part of the product's contract (`slowwave status` shows them), so both are in this file.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from shared.core.budgets.dollars import BudgetUse, explain_exhausted, find_exhausted
from shared.core.gates import in_words
from shared.core.gates.busy_agent import decide_waited_enough
from shared.core.gates.quarantine import EndedDream, decide_quarantined
from shared.core.gates.quiet_hours import find_quiet_end, parse_quiet_hours
from shared.core.policy.policy import GatePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFacts:
    """The facts that the gates decide by. Times are the database's; `sessions` and `curations` count since the last dream."""

    paused_by: str = ""  # "tenant", "store" or "operator"; empty when dreaming is on
    ended: tuple[EndedDream, ...] = ()  # since the store was forgiven, newest first
    deferred_percent: int = 0  # the share that waits today, if this store is in it
    quiet_hours: str = ""  # "22:00-06:00" in `time_zone`; empty: none
    time_zone: str = "UTC"
    tokens_today: int = 0
    tokens_per_day: int | None = None  # None: no limit; 0: nothing may be spent
    dollars: tuple[BudgetUse, ...] = ()  # the budgets in dollars that hold for the store
    last_dream_at: datetime | None = None
    last_check_at: datetime | None = None
    curations: int = 0
    sessions: int = 0
    waiting_sessions: int = 0  # left by a dream that read a part of a backlog
    waiting_changes: int = 0  # left by a dream at its loss cap
    pending_tasks: int = 0
    active_until: datetime | None = None
    last_activity_at: datetime | None = None
    busy_since: datetime | None = None  # since when the queue and idle gates have delayed this store
    running_dream: str = ""  # the dream that holds this store
    tenant_dreams: int = 0
    tenant_cap: int = 1
    has_due_change: bool | None = None  # time or use has left something to do; None: not looked up

    @property
    def is_quiet(self) -> bool:
        """Tell whether there was no activity since the last dream, and the last dream left no work."""
        return not (self.curations or self.sessions or self.waiting_sessions or self.waiting_changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """The verdict: whether the store may dream; if not, the shut gate, the reason, and when to try again.

    `plain` is the reason as a full sentence, if the short reason consists of numbers.
    """

    is_open: bool
    gate: str = ""
    reason: str = ""
    retry_at: datetime | None = None
    plain: str = ""

    @property
    def in_words(self) -> str:
        """Return the reason as a page shows it."""
        return self.plain or self.reason


OPEN = GateVerdict(is_open=True)
Gate = Callable[[GateFacts, GatePolicy, datetime], GateVerdict | None]


def decide_gates(
    facts: GateFacts, policy: GatePolicy, now: datetime, *, force: bool, gates: "Gates | None" = None
) -> GateVerdict:
    """Return the verdict of the first shut gate, or OPEN. `force` skips deferral and gates that only wait."""
    for gate, is_skipped_by_force in GATES if gates is None else gates:
        if force and is_skipped_by_force:
            continue
        verdict = gate(facts, policy, now)
        if verdict is not None:
            return verdict
    return OPEN


def _shut(gate: str, reason: str, retry_at: datetime | None = None, *, plain: str = "") -> GateVerdict:
    return GateVerdict(is_open=False, gate=gate, reason=reason, retry_at=retry_at, plain=plain)


def _seconds_since(moment: datetime, now: datetime) -> float:
    """Return the seconds since a time, at least 0. Reasons round them down: `12.0h < 12h` would be nonsense."""
    return max(0.0, (now - moment).total_seconds())


def _decide_paused(facts: GateFacts, _policy: GatePolicy, _now: datetime) -> GateVerdict | None:
    if not facts.paused_by:
        return None
    return _shut("paused", f"Dreaming is paused ({facts.paused_by})", plain=in_words.say_paused(facts.paused_by))


def _decide_enabled(_facts: GateFacts, policy: GatePolicy, _now: datetime) -> GateVerdict | None:
    if policy.enabled:
        return None
    reason = "Dreaming is not enabled for this store (gates.enabled=false)"
    return _shut("disabled", reason, plain="Dreaming is switched off for this store")


def _decide_quarantine(facts: GateFacts, policy: GatePolicy, _now: datetime) -> GateVerdict | None:
    quarantined = decide_quarantined(facts.ended, policy.quarantine_after)
    plain = f"{quarantined.partition(';')[0]}; it dreams again when a person has lifted the quarantine"
    return _shut("quarantine", quarantined, plain=plain) if quarantined else None


def _decide_budget(facts: GateFacts, _policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if facts.tokens_per_day is not None and facts.tokens_today >= facts.tokens_per_day:
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        reason = f"Daily token budget spent ({facts.tokens_today:,} of {facts.tokens_per_day:,}, by the tenant's tokens per day or budget.tokens_per_day)"
        return _shut("budget", reason, midnight)
    met = find_exhausted(facts.dollars)
    return _shut("budget", explain_exhausted(met), met.ends_at) if met is not None else None


def _decide_deferred(facts: GateFacts, _policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if not facts.deferred_percent:
        return None
    plain = f"Put off, as {facts.deferred_percent} % of all dreams are today"
    return _shut("defer", f"Deferred ({facts.deferred_percent} % of dreams)", now + timedelta(hours=1), plain=plain)


def _decide_quiet(facts: GateFacts, _policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if not facts.quiet_hours:
        return None
    zone = ZoneInfo(facts.time_zone)
    until = find_quiet_end(parse_quiet_hours(facts.quiet_hours), zone, now)
    if until is None:
        return None
    where = f"{facts.quiet_hours} {facts.time_zone}"
    return _shut("quiet", f"Quiet hours ({where}), until {until.astimezone(zone):%H:%M}", until)


def _decide_time(facts: GateFacts, policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if facts.last_dream_at is None or facts.waiting_sessions:
        return None
    seconds = _seconds_since(facts.last_dream_at, now)
    if seconds >= policy.min_hours * 3600:
        return None
    retry_at = facts.last_dream_at + timedelta(hours=policy.min_hours)
    reason = f"Too recent ({seconds // 360 / 10:.1f}h < {policy.min_hours:g}h)"
    return _shut("time", reason, retry_at, plain=in_words.say_too_recent(seconds, policy.min_hours))


def _decide_throttle(facts: GateFacts, policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if facts.last_check_at is None or facts.waiting_sessions:
        return None
    seconds = _seconds_since(facts.last_check_at, now)
    if seconds >= policy.scan_throttle_minutes * 60:
        return None
    retry_at = facts.last_check_at + timedelta(minutes=policy.scan_throttle_minutes)
    reason = f"Checked {seconds // 60:.0f}m ago (< {policy.scan_throttle_minutes:g}m)"
    return _shut("throttle", reason, retry_at, plain=in_words.say_checked(seconds, policy.scan_throttle_minutes))


def decide_wake_due(facts: GateFacts, policy: GatePolicy, now: datetime) -> bool:
    """Tell whether the timer of a store has run out since its last dream."""
    if policy.wake_hours is None or facts.last_dream_at is None:
        return False
    return now >= facts.last_dream_at + timedelta(hours=policy.wake_hours)


#: What is counted, in the words of a page.
_NEW = {"curations": "writes"}


def _decide_activity(facts: GateFacts, policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if facts.waiting_sessions or facts.waiting_changes:
        return None
    if decide_wake_due(facts, policy, now) and facts.has_due_change is not False:
        return None
    counted = ((facts.curations, policy.min_curations, "curations"), (facts.sessions, policy.min_sessions, "sessions"))
    wanted = [(have, need, what) for have, need, what in counted if need is not None]
    if not wanted or any(have >= need for have, need, _ in wanted):
        return None
    numbers = ", ".join(f"{have} < {need} {what}" for have, need, what in wanted)
    plain = in_words.say_too_little([(have, need, _NEW.get(what, what)) for have, need, what in wanted])
    return _shut("activity", f"Not enough activity ({numbers})", plain=plain)


def _decide_unchanged(facts: GateFacts, policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if not facts.is_quiet or facts.has_due_change is not False:
        return None
    retry_at = None if policy.wake_hours is None else now + timedelta(hours=policy.wake_hours)
    return _shut("unchanged", "Nothing would change: nothing came in, and no memory is due for upkeep", retry_at)


def _decide_idle(facts: GateFacts, policy: GatePolicy, now: datetime) -> GateVerdict | None:
    if decide_waited_enough(facts.busy_since, now):
        return None
    if policy.require_empty_queue and facts.pending_tasks > 0:
        reason, plain = (
            f"Queue not empty ({facts.pending_tasks} tasks pending)",
            in_words.say_tasks(facts.pending_tasks),
        )
        return _shut("queue", reason, now + timedelta(minutes=5), plain=plain)
    if facts.active_until is not None and facts.active_until > now:
        return _shut("idle", "Agent is active", facts.active_until, plain="Its agent is at work")
    if facts.last_activity_at is None or policy.idle_seconds <= 0:
        return None
    quiet_seconds = _seconds_since(facts.last_activity_at, now)
    if quiet_seconds >= policy.idle_seconds:
        return None
    retry_at = facts.last_activity_at + timedelta(seconds=policy.idle_seconds)
    reason = f"Agent is active ({quiet_seconds // 1:.0f}s < {policy.idle_seconds:g}s quiet)"
    return _shut("idle", reason, retry_at, plain=in_words.say_active(quiet_seconds, policy.idle_seconds))


def _decide_lock(facts: GateFacts, _policy: GatePolicy, now: datetime) -> GateVerdict | None:
    soon = now + timedelta(minutes=1)
    if facts.running_dream:
        return _shut("lock", f"Another dream is running ({facts.running_dream})", soon)
    if facts.tenant_dreams >= facts.tenant_cap:
        reason = f"No free slot ({facts.tenant_dreams} of {facts.tenant_cap} dreams running)"
        return _shut("lock", reason, soon, plain=in_words.say_no_slot(facts.tenant_dreams, facts.tenant_cap))
    return None


Gates = tuple[tuple[Gate, bool], ...]
#: In order; True marks a gate that force skips. Pause, quarantine, budget and lock hold always.
GATES: Gates = (
    (_decide_paused, False),
    (_decide_enabled, False),
    (_decide_quarantine, False),
    (_decide_budget, False),
    (_decide_deferred, True),
    (_decide_quiet, True),
    (_decide_time, True),
    (_decide_throttle, True),
    (_decide_activity, True),
    (_decide_unchanged, True),
    (_decide_idle, True),
    (_decide_lock, False),
)

#: For a person who starts a dream while the agent is active: it waits neither for the agent nor for its queue.
GATES_WHILE_ACTIVE: Gates = tuple(pair for pair in GATES if pair[0] is not _decide_idle)

#: Upkeep has a switch, an interval and a measure of activity of its own; the rest holds for it as for a whole dream.
_WHOLE_ONLY = frozenset({_decide_enabled, _decide_time, _decide_throttle, _decide_activity, _decide_unchanged})
UPKEEP_GATES: Gates = tuple((gate, skipped) for gate, skipped in GATES if gate not in _WHOLE_ONLY)
UPKEEP_GATES_WITHOUT_MODEL: Gates = tuple(pair for pair in UPKEEP_GATES if pair[0] is not _decide_budget)
