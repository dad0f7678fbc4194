"""Decide which unchanged questions need no call, and when settled clusters are examined again.

A question needs no call while its inputs are the same as when a model last answered it, for at most 7 days. A cluster
of memories that a model saw and left alone is called settled. It is examined again after 7 days, then 14, 28, 56, 56 …
as long as it is left alone each time. The numbers are RockBot's. A question with other inputs has another fingerprint
and is asked at once.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.core.policy.policy import ChangeGatePolicy

#: More doublings than this exceed any cap.
_MAX_DOUBLINGS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, or a cluster of one, that a dream's model has answered.

    Attributes:
        phase: the phase that asked.
        fingerprint: of everything that the answer depends on (shared/core/questions/fingerprint.py).
        dream_id: the dream that asked.
        asked_at: when that dream ended.
        times_settled: how often in a row a cluster was left alone with this fingerprint; 0 for a whole question.
        reopens_at: when it is examined again; None: never.
        members: ids of a cluster's memories, the changed one first; empty for a whole question.
    """

    phase: str
    fingerprint: str
    dream_id: str
    asked_at: datetime
    times_settled: int = 0
    reopens_at: datetime | None = None
    members: tuple[str, ...] = ()


def decide_reopen_days(policy: ChangeGatePolicy, times_settled: int) -> float:
    """Return the days until a cluster is examined again, by how often in a row it was left alone (at least once)."""
    doublings = min(max(0, times_settled - 1), _MAX_DOUBLINGS)
    return min(policy.reopen_cap_days, policy.reopen_days * 2.0**doublings)


def decide_spared(policy: ChangeGatePolicy, last: Asked | None, now: datetime) -> bool:
    """Tell whether a question needs no call, because the one with its fingerprint was answered recently enough.

    A question with a time in the future, because the clock was set back, is asked again.
    """
    return last is not None and timedelta(0) <= now - last.asked_at < timedelta(days=policy.forced_days)


def follow_up(
    policy: ChangeGatePolicy,
    last: Asked | None,
    *,
    phase: str,
    fingerprint: str,
    dream_id: str,
    now: datetime,
    members: tuple[str, ...] = (),
) -> Asked:
    """Return the record of a question that has just been answered.

    Args:
        policy: the numbers.
        last: the record of the question with the same fingerprint, if it was asked before.
        phase: the phase that asked.
        fingerprint: of the question, or of the cluster.
        dream_id: the dream that asked.
        now: the time at which that dream ended.
        members: the ids of a settled cluster; empty for a whole question, which is not examined again by itself.
    """
    times = (last.times_settled if last is not None else 0) + 1 if members else 0
    is_reopened = times > 0 and policy.reopen_days > 0
    return Asked(
        phase=phase,
        fingerprint=fingerprint,
        dream_id=dream_id,
        asked_at=now,
        times_settled=times,
        reopens_at=now + timedelta(days=decide_reopen_days(policy, times)) if is_reopened else None,
        members=members,
    )


def find_forgotten_before(policy: ChangeGatePolicy, now: datetime) -> datetime:
    """Return the time before which recorded questions no longer matter."""
    longest = max(policy.forced_days, policy.reopen_days, policy.reopen_cap_days)
    return now - timedelta(days=2 * longest)
