"""List the defaults that SwarmClaw publishes, beside ours."""

from deploy.published.row import FIXED, Row, constant
from shared.core.gates.busy_agent import MAX_BUSY
from shared.core.policy.policy import Policy
from shared.core.upkeep.decay import EXEMPT_CATEGORIES


def _minutes(policy: Policy) -> float:
    return policy.gates.min_hours * 60


SYSTEM = "SwarmClaw dreaming"
ROWS = (
    Row(what="dreamEnabled", published=False, key="gates.enabled"),
    Row(what="cooldownMinutes", published=360, key="gates.min_hours, in minutes", read=_minutes),
    Row(what="check of a quiet agent, hours at most", published=24, key="gates.wake_hours"),
    Row(what="decayAgeDays", published=30, key="decay.grace_days"),
    Row(what="pruneThresholdDays", published=90, key="maintain.archive_after_days"),
    Row(what="tier2Enabled", published=True, key="phases.consolidate"),
    Row(what="tier2MaxMemories", published=50, key="reflect.max_memories"),
    Row(what="idle seconds", published=120, key="gates.idle_seconds"),
    Row(what="promotion, accesses", published=3, key="maintain.promote_accesses"),
    Row(what="promotion, reinforcements", published=2, key="maintain.promote_reinforcements"),
    Row(what="half-life in search, days", published=30, key="decay.half_life_days"),
    Row(
        what="memories that tier 1 examines",
        published=500,
        key="maintain.max_changes",
        why="All memories of a store are examined, in SQL; this many of a kind change in one dream.",
    ),
    Row(
        what="unused memories past the threshold",
        published="deleted",
        key="safety.loss_cap_share",
        why="Archived with a stub, restorable, at most this share of a store in one dream.",
    ),
    Row(
        what="age of a memory counts from",
        published="its creation",
        key="maintain.archive_after_days",
        why="From its last write, KEEP or read: a memory read yesterday is not stale.",
    ),
    Row(
        what="decayed memories are counted",
        published="again in every cycle",
        key="decay.grace_days",
        why="Counted once, when they pass the grace: a second run counts nothing.",
    ),
    Row(
        what="duplicates",
        published="of all agents",
        key="maintain.fold_duplicates",
        why="Of one store only, and only a file and its copies (`x-copy.md`, `x (1).md`): equal texts under two names may be about two things.",
    ),
    Row(what="consolidated insights of a reflection, at most", published=5, key="reflect.max_insights"),
    Row(what="reflections, at most", published=3, key="reflect.max_reflections"),
    Row(what="memories needed for tier 2", published=3, key="reflect.min_memories"),
    Row(what="characters of a memory shown to tier 2", published=300, key="reflect.preview_chars"),
    Row(
        what="exempt categories",
        published="consolidated_insight, daily_digest, dream_reflection",
        key=FIXED,
        read=constant(", ".join(sorted(EXEMPT_CATEGORIES))),
    ),
    Row(
        what="hours after which a busy agent's store is let through",
        published=24,
        key=FIXED,
        read=constant(MAX_BUSY.total_seconds() / 3_600),
    ),
    Row(
        what="flags on memories",
        published="written without an ownership check",
        key="reflect.max_flags",
        why="Only on offered memories of the same store; they change nothing and wait for a review.",
    ),
    Row(what="daily digest, whether or not dreaming is on", published=True, key="digest.enabled"),
    Row(what="memories of 24 h needed for a digest", published=5, key="digest.min_memories"),
    Row(what="hours covered by a digest", published=24, key="digest.window_hours"),
    Row(what="memories summarised by a digest", published=30, key="digest.max_memories"),
    Row(what="bullets of a digest, at least", published=3, key="digest.min_bullets"),
    Row(what="bullets of a digest, at most", published=7, key="digest.max_bullets"),
    Row(what="links in a digest", published=10, key="digest.max_links"),
    Row(
        what="memories of the last 24 h that are in a digest",
        published="summarised again",
        key="digest.window_hours",
        why="Only once: a digest after midnight would repeat that of the day before.",
    ),
    Row(what="access-based compaction, whether or not dreaming is on", published=True, key="compaction.enabled"),
    Row(what="days without an access", published=60, key="compaction.unused_days"),
    Row(
        what="promotion by compaction",
        published="with the archiving",
        key="maintain.promote_accesses",
        why="Part of maintain, so that a memory is promoted in one place.",
    ),
    Row(
        what="archived by compaction",
        published="every unused durable memory",
        key="safety.loss_cap_share",
        why="Never protected, pinned or exempt memories, and at most this share of a store at a time.",
    ),
)
