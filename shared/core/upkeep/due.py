"""Upkeep: decide whether a digest or compaction dream may begin, and when to check again.

Its gates are those of a whole dream without its switch, interval and activity, which are replaced by a switch and a
rule of its own. Nothing is read here: the facts come in as values.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from shared.core.dream.model import Trigger
from shared.core.gates.gates import (
    UPKEEP_GATES,
    UPKEEP_GATES_WITHOUT_MODEL,
    GateFacts,
    Gates,
    GateVerdict,
    decide_gates,
)
from shared.core.policy.policy import Policy
from shared.core.policy.upkeep import CompactionPolicy, DigestPolicy

DIGESTS_FOLDER = "daily_digest"
#: The wait after a closed gate without a time, and after a failed upkeep dream.
RECHECK_WAIT = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepDue:
    """The verdict of the rule of one kind of upkeep: whether it is due; if not, the reason and the next time.

    Without `next_at`, only activity makes it due. When it is due, `next_at` is the earliest time of the next one.
    """

    is_due: bool
    reason: str = ""
    next_at: datetime | None = None
    plain: str = ""


def decide_switched_on(policy: Policy, trigger: Trigger) -> bool:
    """Tell whether a store's policy enables this kind of upkeep."""
    return {Trigger.DIGEST: policy.digest.enabled, Trigger.COMPACTION: policy.compaction.enabled}[trigger]


def gates_of(trigger: Trigger) -> Gates:
    """Return the gates of a kind of upkeep; without a model, the token budget does not count."""
    return UPKEEP_GATES if trigger is Trigger.DIGEST else UPKEEP_GATES_WITHOUT_MODEL


def decide_upkeep(
    policy: Policy, trigger: Trigger, due: UpkeepDue, facts: GateFacts, now: datetime, *, force: bool = False
) -> GateVerdict:
    """Return whether an upkeep dream may begin: its switch, its own rule, then the gates; the first closed one decides.

    `force` skips the switch, which is for sweeps, and the gates that wait; `due` must be decided with `force`, too.
    """
    if not (force or decide_switched_on(policy, trigger)):
        return switched_off(trigger)
    if not due.is_due:
        return GateVerdict(is_open=False, gate=str(trigger), reason=due.reason, retry_at=due.next_at, plain=due.plain)
    return decide_gates(facts, policy.gates, now, force=force, gates=gates_of(trigger))


def switched_off(trigger: Trigger) -> GateVerdict:
    """Return the verdict on a kind of upkeep that a store's policy disables."""
    return GateVerdict(is_open=False, gate="off", reason=f"Switched off ({trigger}.enabled=false)")


def decide_next_upkeep_check(verdict: GateVerdict, trigger: Trigger, due: UpkeepDue, now: datetime) -> datetime | None:
    """Return when to check a store again for this kind of upkeep; None: after its next activity."""
    if verdict.gate == "off":
        return None
    if verdict.is_open or verdict.gate == str(trigger):
        return due.next_at
    return verdict.retry_at or now + RECHECK_WAIT


def digest_path(day: str) -> str:
    """Return the path of the digest of a day (ISO date)."""
    return f"{DIGESTS_FOLDER}/{day}.md"


def decide_digest_due(
    policy: DigestPolicy, *, fresh: int, is_done_today: bool, now: datetime, time_zone: str, force: bool = False
) -> UpkeepDue:
    """Return whether a store should have a digest: at least 5 fresh memories, and none yet on the tenant's own day.

    Args:
        policy: the numbers.
        fresh: memories of the last 24 h that no digest has summed up.
        is_done_today: whether there is a digest of this day, or one that was undone.
        now: the moment.
        time_zone: the tenant's.
        force: set on request: fewer memories are enough.
    """
    tomorrow = start_of_next_day(now, time_zone)
    if is_done_today:
        return UpkeepDue(is_due=False, reason="There is a digest of today already", next_at=tomorrow)
    if fresh < (needed := min_fresh_memories(policy, force=force)):
        reason = f"Not enough new memories ({fresh} < {needed} in {policy.window_hours:g} h)"
        plain = f"Too few new memories: {fresh} of the {needed} it takes, in {policy.window_hours:g} hours"
        return UpkeepDue(is_due=False, reason=reason, plain=plain)
    return UpkeepDue(is_due=True, next_at=tomorrow)


def min_fresh_memories(policy: DigestPolicy, *, force: bool) -> int:
    """Return how many fresh memories a digest needs; on request, as many as its minimum of bullets."""
    wanted = min(policy.min_memories, policy.min_bullets) if force else policy.min_memories
    return max(1, wanted)


def decide_compaction_due(
    policy: CompactionPolicy,
    *,
    has_unused: bool,
    has_room: bool,
    next_unused_at: datetime | None,
    last_at: datetime | None,
    now: datetime,
    force: bool = False,
) -> UpkeepDue:
    """Return whether durable memories that were never read should be archived.

    Args:
        policy: the numbers.
        has_unused: whether a memory has been unused for more than 60 days.
        has_room: whether the loss cap leaves room beside what earlier dreams retired and no person has reviewed.
        next_unused_at: when the next memory will be, unless it is read.
        last_at: the time of the store's last compaction.
        now: the moment.
        force: set on request: the time of the last one does not matter.
    """
    pause = timedelta(hours=policy.min_hours)
    if not has_unused:
        reason = f"No durable memory was without an access for more than {policy.unused_days:g} days"
        next_at = max(next_unused_at, now + RECHECK_WAIT) if next_unused_at else None
        return UpkeepDue(is_due=False, reason=reason, next_at=next_at)
    if not force and last_at is not None and now < last_at + pause:
        reason = f"Compacted less than {policy.min_hours:g} h ago"
        return UpkeepDue(is_due=False, reason=reason, next_at=last_at + pause)
    if not has_room:
        reason = (
            "What earlier dreams retired takes up the loss cap until a person has reviewed it (safety.loss_cap_share)"
        )
        return UpkeepDue(is_due=False, reason=reason, next_at=now + max(pause, RECHECK_WAIT))
    return UpkeepDue(is_due=True, next_at=now + max(pause, RECHECK_WAIT))


def local_day(moment: datetime, time_zone: str) -> str:
    """Return the day (ISO date) of a moment in a tenant's time zone."""
    return local_date(moment, time_zone).isoformat()


def local_date(moment: datetime, time_zone: str) -> date:
    """Return the day of a moment in a tenant's time zone."""
    return moment.astimezone(ZoneInfo(time_zone)).date()


def end_of_day(day: date, time_zone: str) -> datetime:
    """Return the moment at which a day is over in a tenant's time zone."""
    later = min(day, date.max - timedelta(days=2)) + timedelta(days=1)
    return datetime.combine(later, time.min, tzinfo=ZoneInfo(time_zone))


def end_of_week(now: datetime, time_zone: str) -> datetime:
    """Return the moment at which the present week, which begins on a Monday, is over in a tenant's time zone."""
    today = local_date(now, time_zone)
    return end_of_day(today + timedelta(days=6 - today.weekday()), time_zone)


def start_of_next_day(now: datetime, time_zone: str) -> datetime:
    """Return when the next day begins in a tenant's time zone."""
    zone = ZoneInfo(time_zone)
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, time.min, tzinfo=zone)
