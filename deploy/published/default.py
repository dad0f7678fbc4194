"""List the defaults of slowwave: the union of the four systems, with the reason where it does less than one of them."""

from deploy.published.row import Row
from shared.core.policy.policy import Policy


def _hours(policy: Policy) -> float:
    return policy.gates.min_hours * 60


SYSTEM = "slowwave's own: the union of the other four"
ROWS = (
    Row(what="minimum time between dreams, hours", published=12, key="gates.min_hours"),
    Row(what="curations, or sessions, needed for a dream", published=3, key="gates.min_curations"),
    Row(what="sessions", published=5, key="gates.min_sessions"),
    Row(what="minutes between two full checks", published=10, key="gates.scan_throttle_minutes"),
    Row(what="quiet seconds before a dream", published=120, key="gates.idle_seconds"),
    Row(what="share of a store that a dream may retire", published=0.25, key="safety.loss_cap_share"),
    Row(what="importance that protects", published=80, key="safety.protected_importance"),
    Row(
        what="days after which unused working memories are archived without a model",
        published=90,
        key="maintain.archive_after_days",
        why="Off: prune asks a model about them after 60 days, and KEEP is a possible answer.",
    ),
    Row(
        what="daily digest",
        published=True,
        key="digest.enabled",
        why="Off: it costs a model call a day and repeats the memories. `--set digest.enabled=true`.",
    ),
    Row(
        what="archiving of durable memories that are never read",
        published=True,
        key="compaction.enabled",
        why="Off: reads of exported files are not counted.",
    ),
)
