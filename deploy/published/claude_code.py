"""List the defaults that Claude Code's auto-dream publishes, beside ours."""

from deploy.published.row import LEASE, Row, setting
from shared.core.policy.policy import Policy


def _hours(policy: Policy) -> float:
    return policy.gates.min_hours * 60


SYSTEM = "Claude Code's auto-dream"
ROWS = (
    Row(what="minimum hours", published=24, key="gates.min_hours"),
    Row(what="sessions since the last dream", published=5, key="gates.min_sessions"),
    Row(what="minutes between two scans", published=10, key="gates.scan_throttle_minutes"),
    Row(what="lines of the index", published=200, key="index.max_lines"),
    Row(what="bytes of the index", published=25_000, key="index.max_bytes"),
    Row(what="characters of a pointer", published=150, key="index.pointer_chars"),
    Row(what="archives stale memories by age", published=False, key="phases.prune"),
    Row(what="writes syntheses", published=False, key="phases.synthesize"),
    Row(
        what="contradicted facts",
        published="deleted at the source",
        key="safety.loss_cap_share",
        why="Superseded and restorable; a dream retires at most this share.",
    ),
    Row(
        what="seconds until a lock is stale",
        published=3_600,
        key="SLOWWAVE_LEASE_SECONDS",
        read=setting("lease_seconds"),
        why=LEASE,
    ),
)
