"""List the defaults that RockBot publishes, beside ours."""

from deploy.published.row import FIXED, Row, constant, setting
from shared.core.gates.snooze import BUSY_BACKOFF_MINUTES
from shared.core.learning.skills import SPARSE_CHARS, SPARSE_DAYS
from shared.core.policy.policy import Policy


def _hours(policy: Policy) -> float:
    return policy.gates.min_hours * 60


SYSTEM = "RockBot's dream service"
ROWS = (
    Row(what="interval, hours", published=4, key="gates.min_hours"),
    Row(what="timer of a quiet store, hours", published=4, key="gates.wake_hours"),
    Row(
        what="initial delay, minutes",
        published=5,
        key="gates.idle_seconds",
        why="A store becomes due after its first write; its timer begins with its first dream.",
    ),
    Row(what="law of decay", published="half_life", key="decay.law"),
    Row(what="grace, days", published=30, key="decay.grace_days"),
    Row(what="half-life, days", published=45, key="decay.half_life_days"),
    Row(what="floor of importance, of 100", published=10, key="decay.floor_importance"),
    Row(what="exact duplicates folded without a model", published=True, key="maintain.fold_duplicates"),
    Row(what="importance that protects from deletion, of 100", published=80, key="safety.protected_importance"),
    Row(what="reinforcements that protect", published=5, key="safety.protected_reinforcements"),
    Row(what="the decayed importance protects", published=True, key="safety.protection_fades"),
    Row(what="events go to `episodic/{category}`", published=True, key="gather.episodes"),
    Row(what="change gate: forced run, days", published=7, key="change_gate.forced_days"),
    Row(
        what="days until a settled cluster is reopened, doubled each time",
        published=7,
        key="change_gate.reopen_days",
    ),
    Row(what="maximum of these days", published=56, key="change_gate.reopen_cap_days"),
    Row(what="reopened clusters in one cycle", published=10, key="change_gate.max_reopened"),
    Row(what="promotion to a durable tier, accesses", published=None, key="maintain.promote_accesses"),
    Row(
        what="memories in one model call",
        published=1_000,
        key="consolidate.max_changed_per_call",
        why="Only changed memories and their candidates: a system that showed the whole corpus lost 26 % of it in 3.5 days.",
    ),
    Row(
        what="decayed value",
        published="written back at each run",
        key="decay.law",
        why="Computed from the clocks, so every schedule gives the same value and an undo restores it.",
    ),
    Row(what="SkillGapEnabled", published=True, key="phases.find_skill_gaps"),
    Row(what="sessions in which a request recurs", published=2, key="skills.min_sessions"),
    Row(what="recurring terms that are listed", published=15, key="skills.max_terms"),
    Row(what="characters of a term, at least", published=4, key="skills.min_term_chars"),
    Row(what="feedback for skills, days", published=14, key="skills.feedback_days"),
    Row(what="feedback for skills, items", published=200, key="skills.max_feedback"),
    Row(what="uses of skills are counted for, days", published=30, key="skills.usage_days"),
    Row(what="co-used pairs that are shown", published=10, key="skills.max_pairs"),
    Row(what="characters that are shown of a skill", published=800, key="skills.content_cap_chars"),
    Row(what="a sparse skill has fewer characters than", published=200, key=FIXED, read=constant(SPARSE_CHARS)),
    Row(what="and is older than, days", published=7, key=FIXED, read=constant(SPARSE_DAYS)),
    Row(what="PreferenceInferenceEnabled", published=True, key="phases.infer_preferences"),
    Row(what="very irritated: occurrences", published=1, key="preferences.min_very_irritated"),
    Row(what="mildly frustrated: occurrences", published=2, key="preferences.min_mild"),
    Row(what="casual: occurrences", published=3, key="preferences.min_casual"),
    Row(what="feedback for preferences, days", published=7, key="preferences.feedback_days"),
    Row(what="feedback for preferences, items", published=50, key="preferences.max_feedback"),
    Row(what="days within which a new preference must be recalled", published=30, key="preferences.tentative_days"),
    Row(
        what="the conversation log, once preferences were inferred",
        published="cleared",
        key="phases.infer_preferences",
        why="Marked as read and purged by retention, since undo and provenance need it.",
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
        what="seconds between two checks of a live turn",
        published=5,
        key="SLOWWAVE_BUSY_POLL_SECONDS",
        read=setting("busy_poll_seconds"),
    ),
    Row(
        what="back-off while the agent is busy, minutes",
        published="5, 10, 20, 40, 60, 60",
        key=FIXED,
        read=constant(", ".join(f"{minutes:g}" for minutes in BUSY_BACKOFF_MINUTES)),
    ),
    Row(what="tries", published=6, key="SLOWWAVE_MAX_SNOOZES", read=setting("max_snoozes")),
)
