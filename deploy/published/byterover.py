"""List the defaults that ByteRover publishes, beside ours."""

from deploy.published.row import FIXED, LEASE, Row, constant, setting
from shared.core.memory.importance import (
    ACCESS_BONUS,
    CORE_AT,
    CORE_UNTIL,
    RECENCY_DAYS,
    UPDATE_BONUS,
    VALIDATED_AT,
    VALIDATED_UNTIL,
)
from shared.core.merging.candidates import QUERY_WORDS
from shared.core.policy.policy import Policy

_LOSS = "No system publishes a cap; one lost 26 % of its memories in 3.5 days."


def _hours(policy: Policy) -> float:
    return policy.gates.min_hours * 60


SYSTEM = "ByteRover CLI"
ROWS = (
    Row(what="minimum hours since the last dream", published=12, key="gates.min_hours"),
    Row(what="curations since the last dream", published=3, key="gates.min_curations"),
    Row(what="agent queue empty", published=True, key="gates.require_empty_queue"),
    Row(what="budget of a dream, seconds", published=300, key="budget.dream_seconds"),
    Row(what="related files per changed file", published=5, key="consolidate.related_limit"),
    Row(what="payload of a domain, characters", published=200_000, key="consolidate.payload_cap_chars"),
    Row(what="confidence below which a merge is flagged", published=0.7, key="consolidate.review_below_confidence"),
    Row(what="domains that synthesis needs", published=2, key="synthesize.min_domains"),
    Row(what="normalised BM25 of a duplicate synthesis", published=0.5, key="synthesize.duplicate_bm25"),
    Row(what="prune candidates per dream", published=20, key="prune.max_candidates"),
    Row(what="importance below which a draft is a candidate", published=35, key="prune.min_importance"),
    Row(what="days until a draft is stale", published=60, key="prune.draft_stale_days"),
    Row(what="days until a validated memory is stale", published=120, key="prune.validated_stale_days"),
    Row(what="daily factor of importance", published=0.995, key="decay.daily_factor"),
    Row(what="law of decay", published="daily", key="decay.law"),
    Row(
        what="share of a store that a dream may retire",
        published="no cap",
        key="safety.loss_cap_share",
        why=_LOSS,
    ),
    Row(what="folds exact duplicates without a model", published=False, key="phases.maintain"),
    Row(what="words of a file used to search candidates", published=100, key=FIXED, read=constant(QUERY_WORDS)),
    Row(what="syntheses that a draft is compared with", published=5, key="synthesize.duplicate_limit"),
    Row(what="confidence below which a draft is flagged", published=0.7, key="synthesize.review_below_confidence"),
    Row(what="characters of a draft's summary", published=500, key="synthesize.summary_cap_chars"),
    Row(what="tags of a draft", published=8, key="synthesize.max_tags"),
    Row(what="keywords of a draft", published=15, key="synthesize.max_keywords"),
    Row(what="characters that prune shows of a candidate", published=1_000, key="prune.preview_chars"),
    Row(what="tokens of an archive's stub", published=220, key="prune.stub_cap_tokens"),
    Row(what="characters of a stub without a model", published=320, key="prune.stub_chars"),
    Row(what="importance added by an access", published=3, key=FIXED, read=constant(ACCESS_BONUS)),
    Row(what="importance added by an update", published=5, key=FIXED, read=constant(UPDATE_BONUS)),
    Row(what="days in which recency falls to 1/e", published=30, key=FIXED, read=constant(RECENCY_DAYS)),
    Row(what="importance that makes a draft validated", published=65, key=FIXED, read=constant(VALIDATED_AT)),
    Row(what="validated becomes a draft below", published=35, key=FIXED, read=constant(VALIDATED_UNTIL)),
    Row(what="importance that makes a memory core", published=85, key=FIXED, read=constant(CORE_AT)),
    Row(what="core becomes validated below", published=60, key=FIXED, read=constant(CORE_UNTIL)),
    Row(
        what="seconds until a lock is stale",
        published=1_800,
        key="SLOWWAVE_LEASE_SECONDS",
        read=setting("lease_seconds"),
        why=LEASE,
    ),
)
