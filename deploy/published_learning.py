"""More of what the systems publish: scores and drafts, skills, preferences, workflows, reflection, and waiting for an agent."""

from deploy.published_row import Row, constant, setting
from shared.core.busy_since import LONGEST_BUSY
from shared.core.candidates import QUERY_WORDS
from shared.core.decay import EXEMPT_CATEGORIES
from shared.core.scoring import (
    ACCESS_BONUS,
    CORE_AT,
    CORE_UNTIL,
    RECENCY_DAYS,
    UPDATE_BONUS,
    VALIDATED_AT,
    VALIDATED_UNTIL,
)
from shared.core.skill import SPARSE_CHARS, SPARSE_DAYS
from shared.core.snooze import BUSY_BACKOFF_MINUTES

_LEASE = "Renewed by a heartbeat: a worker that is gone is noticed after a minute, one that is slow keeps its dream."
_FIXED = "fixed"

BYTEROVER_MORE = (
    Row(
        what="words of a file that candidates are searched with", published=100, key=_FIXED, read=constant(QUERY_WORDS)
    ),
    Row(what="syntheses that a draft is compared with", published=5, key="synthesize.duplicate_limit"),
    Row(what="confidence below which a person sees a draft", published=0.7, key="synthesize.review_below_confidence"),
    Row(what="characters of a draft's summary", published=500, key="synthesize.summary_cap_chars"),
    Row(what="tags of a draft", published=8, key="synthesize.max_tags"),
    Row(what="keywords of a draft", published=15, key="synthesize.max_keywords"),
    Row(what="characters that prune shows of a candidate", published=1_000, key="prune.preview_chars"),
    Row(what="tokens of an archive's stub", published=220, key="prune.stub_cap_tokens"),
    Row(what="characters of a stub without a model", published=320, key="prune.stub_chars"),
    Row(what="importance for an access", published=3, key=_FIXED, read=constant(ACCESS_BONUS)),
    Row(what="importance for an update", published=5, key=_FIXED, read=constant(UPDATE_BONUS)),
    Row(what="days in which recency falls to 1/e", published=30, key=_FIXED, read=constant(RECENCY_DAYS)),
    Row(what="importance that makes a draft validated", published=65, key=_FIXED, read=constant(VALIDATED_AT)),
    Row(what="validated becomes a draft below", published=35, key=_FIXED, read=constant(VALIDATED_UNTIL)),
    Row(what="importance that makes a memory core", published=85, key=_FIXED, read=constant(CORE_AT)),
    Row(what="core becomes validated below", published=60, key=_FIXED, read=constant(CORE_UNTIL)),
    Row(
        what="seconds until a lock is stale",
        published=1_800,
        key="SLOWWAVE_LEASE_SECONDS",
        read=setting("lease_seconds"),
        why=_LEASE,
    ),
)

CLAUDE_MORE = (
    Row(
        what="seconds until a lock is stale",
        published=3_600,
        key="SLOWWAVE_LEASE_SECONDS",
        read=setting("lease_seconds"),
        why=_LEASE,
    ),
)

ROCKBOT_MORE = (
    Row(what="SkillGapEnabled", published=True, key="phases.find_skill_gaps"),
    Row(what="sessions in which a request recurs", published=2, key="skills.min_sessions"),
    Row(what="recurring terms that are listed", published=15, key="skills.max_terms"),
    Row(what="characters of a term, at least", published=4, key="skills.min_term_chars"),
    Row(what="feedback for skills, days", published=14, key="skills.feedback_days"),
    Row(what="feedback for skills, pieces", published=200, key="skills.max_feedback"),
    Row(what="uses of skills are counted for, days", published=30, key="skills.usage_days"),
    Row(what="co-used pairs that are shown", published=10, key="skills.max_pairs"),
    Row(what="characters that are shown of a skill", published=800, key="skills.content_cap_chars"),
    Row(what="a sparse skill has fewer characters than", published=200, key=_FIXED, read=constant(SPARSE_CHARS)),
    Row(what="and is older than, days", published=7, key=_FIXED, read=constant(SPARSE_DAYS)),
    Row(what="PreferenceInferenceEnabled", published=True, key="phases.infer_preferences"),
    Row(what="very irritated: occurrences", published=1, key="preferences.min_very_irritated"),
    Row(what="mildly frustrated: occurrences", published=2, key="preferences.min_mild"),
    Row(what="casual: occurrences", published=3, key="preferences.min_casual"),
    Row(what="feedback for preferences, days", published=7, key="preferences.feedback_days"),
    Row(what="feedback for preferences, pieces", published=50, key="preferences.max_feedback"),
    Row(what="days in which a new preference has to prove itself", published=30, key="preferences.tentative_days"),
    Row(
        what="the conversation log, once preferences were inferred",
        published="cleared",
        key="phases.infer_preferences",
        why="Marked as read, and purged by retention: an undo needs it, and so does whoever asks where a memory is from.",
    ),
    Row(what="WispFailureAnalysisEnabled", published=True, key="phases.learn_from_workflows"),
    Row(what="runs of workflows, days", published=14, key="workflows.days"),
    Row(what="failures of a kind that are a pattern", published=3, key="workflows.min_failures"),
    Row(what="successes that may be promoted", published=5, key="workflows.min_successes"),
    Row(what="and their share, more than", published=0.8, key="workflows.success_share"),
    Row(
        what="sources of what was saved",
        published="deleted with toDelete",
        key="safety.loss_cap_share",
        why="Superseded and restorable, at most this share of a store; a deletion without a replacement is refused.",
    ),
    Row(
        what="seconds between two looks at a live turn",
        published=5,
        key="SLOWWAVE_BUSY_POLL_SECONDS",
        read=setting("busy_poll_seconds"),
    ),
    Row(
        what="back-off while the agent is busy, minutes",
        published="5, 10, 20, 40, 60, 60",
        key=_FIXED,
        read=constant(", ".join(f"{minutes:g}" for minutes in BUSY_BACKOFF_MINUTES)),
    ),
    Row(what="tries", published=6, key="SLOWWAVE_MAX_SNOOZES", read=setting("max_snoozes")),
)

SWARMCLAW_MORE = (
    Row(what="consolidated insights of a reflection, at most", published=5, key="reflect.max_insights"),
    Row(what="reflections, at most", published=3, key="reflect.max_reflections"),
    Row(what="memories that tier 2 needs", published=3, key="reflect.min_memories"),
    Row(what="characters that tier 2 sees of a memory", published=300, key="reflect.preview_chars"),
    Row(
        what="exempt categories",
        published="consolidated_insight, daily_digest, dream_reflection",
        key=_FIXED,
        read=constant(", ".join(sorted(EXEMPT_CATEGORIES))),
    ),
    Row(
        what="hours after which a busy agent's store is let through",
        published=24,
        key=_FIXED,
        read=constant(LONGEST_BUSY.total_seconds() / 3_600),
    ),
    Row(
        what="flags on memories",
        published="written without asking whose they are",
        key="reflect.max_flags",
        why="Only on offered memories of the store itself; they change nothing and wait for a person.",
    ),
)
