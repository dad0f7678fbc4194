"""What five systems publish, number by number, and why ours differs where it does: the rows of docs/profiles.md."""

from collections.abc import Sequence

from deploy.published_learning import BYTEROVER_MORE, CLAUDE_MORE, ROCKBOT_MORE, SWARMCLAW_MORE
from deploy.published_row import Row
from shared.core.policy import Policy


def _hours(policy: Policy) -> float:
    return policy.gates.min_hours * 60


_LOSS = "No system publishes a cap; one lost 26 % of its memories in 3.5 days."
SYSTEMS: dict[str, tuple[str, Sequence[Row]]] = {
    "default": (
        "slowwave's own: the union of the other four",
        (
            Row(what="least time between dreams, hours", published=12, key="gates.min_hours"),
            Row(what="curations, or sessions, that are worth a dream", published=3, key="gates.min_curations"),
            Row(what="sessions", published=5, key="gates.min_sessions"),
            Row(what="minutes between two full checks", published=10, key="gates.scan_throttle_minutes"),
            Row(what="quiet seconds before a dream", published=120, key="gates.idle_seconds"),
            Row(what="share of a store that a dream may retire", published=0.25, key="safety.loss_cap_share"),
            Row(what="importance that protects", published=80, key="safety.protected_importance"),
            Row(
                what="days after which unused working memories are archived without a model",
                published=90,
                key="maintain.archive_after_days",
                why="Off: prune asks a model about them after 60 days, and its KEEP is an answer.",
            ),
            Row(
                what="daily digest",
                published=True,
                key="digest.enabled",
                why="Off: it costs a model call a day and says what the memories say. `--set digest.enabled=true`.",
            ),
            Row(
                what="archiving of durable memories that nobody read",
                published=True,
                key="compaction.enabled",
                why="Off: an agent that reads exported files is counted as reading nothing.",
            ),
        ),
    ),
    "byterover": (
        "ByteRover CLI",
        (
            Row(what="minimum hours since the last dream", published=12, key="gates.min_hours"),
            Row(what="curations since the last dream", published=3, key="gates.min_curations"),
            Row(what="agent queue empty", published=True, key="gates.require_empty_queue"),
            Row(what="budget of a dream, seconds", published=300, key="budget.dream_seconds"),
            Row(what="related files per changed file", published=5, key="consolidate.related_limit"),
            Row(what="payload of a domain, characters", published=200_000, key="consolidate.payload_cap_chars"),
            Row(what="confidence below which a person looks", published=0.7, key="consolidate.review_below_confidence"),
            Row(what="domains that synthesis needs", published=2, key="synthesize.min_domains"),
            Row(what="normalised BM25 of a duplicate synthesis", published=0.5, key="synthesize.duplicate_bm25"),
            Row(what="prune candidates per dream", published=20, key="prune.max_candidates"),
            Row(what="importance below which a draft is a candidate", published=35, key="prune.min_importance"),
            Row(what="days until a draft is stale", published=60, key="prune.draft_stale_days"),
            Row(what="days until a validated memory is stale", published=120, key="prune.validated_stale_days"),
            Row(what="importance that a day leaves, of 1", published=0.995, key="decay.daily_factor"),
            Row(what="law of decay", published="daily", key="decay.law"),
            Row(
                what="share of a store that a dream may retire",
                published="no cap",
                key="safety.loss_cap_share",
                why=_LOSS,
            ),
            Row(what="folds exact duplicates without a model", published=False, key="phases.maintain"),
            *BYTEROVER_MORE,
        ),
    ),
    "claude-code": (
        "Claude Code's auto-dream",
        (
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
            *CLAUDE_MORE,
        ),
    ),
    "rockbot": (
        "RockBot's dream service",
        (
            Row(what="interval, hours", published=4, key="gates.min_hours"),
            Row(
                what="initial delay, minutes",
                published=5,
                key="gates.idle_seconds",
                why="No timer of a process: a store becomes due when something is written to it.",
            ),
            Row(what="law of decay", published="half_life", key="decay.law"),
            Row(what="grace, days", published=30, key="decay.grace_days"),
            Row(what="half-life, days", published=45, key="decay.half_life_days"),
            Row(what="floor of importance, of 100", published=10, key="decay.floor_importance"),
            Row(what="exact duplicates folded without a model", published=True, key="maintain.fold_duplicates"),
            Row(what="importance that protects from deletion, of 100", published=80, key="safety.protected_importance"),
            Row(what="reinforcements that protect", published=5, key="safety.protected_reinforcements"),
            Row(what="the decayed importance protects", published=True, key="safety.protection_fades"),
            Row(what="what happened goes to `episodic/{category}`", published=True, key="gather.episodes"),
            Row(what="change gate: forced run, days", published=7, key="change_gate.forced_days"),
            Row(
                what="settled clusters are reopened after so many days, doubled each time",
                published=7,
                key="change_gate.reopen_days",
            ),
            Row(what="but after so many days at most", published=56, key="change_gate.reopen_cap_days"),
            Row(what="reopened clusters in one cycle", published=10, key="change_gate.max_reopened"),
            Row(what="promotion to a durable tier, accesses", published=None, key="maintain.promote_accesses"),
            Row(
                what="memories that one model call sees",
                published=1_000,
                key="consolidate.max_changed_per_call",
                why="Only what changed and its candidates: showing the whole corpus lost 26 % of it in 3.5 days.",
            ),
            Row(
                what="decayed value",
                published="written back at each run",
                key="decay.law",
                why="Computed from the clocks, so that any schedule gives the same and an undo restores it.",
            ),
            *ROCKBOT_MORE,
        ),
    ),
    "swarmclaw": (
        "SwarmClaw dreaming",
        (
            Row(what="dreamEnabled", published=False, key="gates.enabled"),
            Row(what="cooldownMinutes", published=360, key="gates.min_hours, in minutes", read=_hours),
            Row(what="decayAgeDays", published=30, key="decay.grace_days"),
            Row(what="pruneThresholdDays", published=90, key="maintain.archive_after_days"),
            Row(what="tier2Enabled", published=True, key="phases.consolidate"),
            Row(what="tier2MaxMemories", published=50, key="reflect.max_memories"),
            Row(what="idle seconds", published=120, key="gates.idle_seconds"),
            Row(what="promotion, accesses", published=3, key="maintain.promote_accesses"),
            Row(what="promotion, reinforcements", published=2, key="maintain.promote_reinforcements"),
            Row(what="half-life in search, days", published=30, key="decay.half_life_days"),
            Row(
                what="memories that tier 1 looks at",
                published=500,
                key="maintain.max_changes",
                why="All of a store are looked at, in SQL; so many of a kind change in one dream.",
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
                why="From its last write, KEEP or sight: what was looked at yesterday is not stale.",
            ),
            Row(
                what="decayed memories are counted",
                published="again in every cycle",
                key="decay.grace_days",
                why="Once, when they pass the grace: a second run counts nothing.",
            ),
            Row(
                what="duplicates",
                published="of all agents",
                key="maintain.fold_duplicates",
                why="Of one store: the original reached other agents' memories.",
            ),
            *SWARMCLAW_MORE,
            Row(what="daily digest, whether or not dreaming is on", published=True, key="digest.enabled"),
            Row(what="memories in 24 h that are worth a digest", published=5, key="digest.min_memories"),
            Row(what="hours that a digest looks back", published=24, key="digest.window_hours"),
            Row(what="memories that a digest is made from", published=30, key="digest.max_memories"),
            Row(what="bullets of a digest, at least", published=3, key="digest.min_bullets"),
            Row(what="bullets of a digest, at most", published=7, key="digest.max_bullets"),
            Row(what="memories that a digest links to", published=10, key="digest.max_links"),
            Row(
                what="memories of the last 24 h that a digest has summed up",
                published="summed up again",
                key="digest.window_hours",
                why="Only once: a digest after midnight would repeat that of the day before.",
            ),
            Row(
                what="access-based compaction, whether or not dreaming is on", published=True, key="compaction.enabled"
            ),
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
                why="Never a protected, pinned or exempt one, and at most this share of a store at a time.",
            ),
        ),
    ),
}
