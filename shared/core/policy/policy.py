"""Policies: the numbers of gates, phases and safety rules, as frozen values in one group for each rule.

A profile is a named preset of them. A store names its profile and may override single fields (`gates.min_hours=4`).
The numbers of the `byterover` profile are those that ByteRover publishes; those of skills, preferences and workflows
are RockBot's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from shared.core.policy.retention import EvidencePolicy
from shared.core.policy.upkeep import CompactionPolicy, DecayPolicy, DigestPolicy, MaintainPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsPolicy:
    """The sessions that a store takes, by patterns between commas that match the whole of an id, a title, a project or a label."""

    include: str = ""  # empty: all
    exclude: str = ""


class MaskAction(StrEnum):
    """The fate of a memory or feedback that holds what a policy is about: stored as it is, stored with a mark instead, or not stored."""

    ALLOW = "allow"
    MASK = "mask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretsPolicy:
    """The rule for secrets in what is written. Sessions and dreams cannot be asked again: with `refuse`, theirs are masked.

    Paths, titles of sessions and labels never hold one.
    """

    action: MaskAction = MaskAction.MASK


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalDataPolicy:
    """The rule for numbers of cards, accounts and persons, phone numbers and e-mail addresses; it applies as that for secrets does."""

    action: MaskAction = MaskAction.ALLOW
    kinds: str = ""  # between commas; empty: all


class LeastRank(StrEnum):
    """The ranks of writers (docs/security.md), from the least trusted one up."""

    MACHINE = "machine"
    PASTED = "pasted"
    TOOL = "tool"
    AGENT = "agent"
    USER = "user"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPolicy:
    """The rule for what agents are shown: memories with a statement of a lower rank are hidden. No profile sets it."""

    least_rank: LeastRank = LeastRank.MACHINE  # nothing is hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsPolicy:
    """The numbers for finding, merging and repairing skills. Sessions, terms, days and pairs as RockBot publishes them."""

    max_sessions: int = 100
    min_sessions: int = 2
    max_terms: int = 15
    min_term_chars: int = 4
    opening_chars: int = 600
    max_new: int = 3
    feedback_days: float = 14.0
    max_feedback: int = 200
    usage_days: float = 30.0
    max_pairs: int = 10
    content_cap_chars: int = 800
    max_skills: int = 150
    max_repairs: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencePolicy:
    """The repeats that make a wish a preference, and the days that an inferred one may wait for a recall. RockBot's numbers."""

    min_very_irritated: int = 1
    min_mild: int = 2
    min_casual: int = 3
    feedback_days: float = 7.0
    max_feedback: int = 50
    tentative_days: float = 30.0
    max_memories: int = 20
    max_existing: int = 40
    payload_cap_chars: int = 60_000
    review_below_confidence: float = 0.7
    #: A wish in a session becomes a memory only when it was said often enough; with false, gather keeps it at once.
    counted_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowPolicy:
    """The runs of one kind that give a lesson. RockBot's numbers; a share is of the runs of a kind."""

    days: float = 14.0
    max_runs: int = 2_000
    min_failures: int = 3
    min_successes: int = 5
    success_share: float = 0.8
    max_groups: int = 20
    runs_shown: int = 5
    max_skills: int = 20
    payload_cap_chars: int = 60_000
    review_below_confidence: float = 0.7


class Autonomy(StrEnum):
    """The autonomy of dreams: apply and log, apply and flag, or only propose."""

    SILENT = "silent"
    FLAG = "flag"
    PROPOSE = "propose"


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePolicy:
    """The gates of a store's own dreams. None switches an alternative off."""

    enabled: bool = True
    min_hours: float = 12.0
    scan_throttle_minutes: float = 10.0
    min_curations: int | None = 3
    min_sessions: int | None = 5
    idle_seconds: float = 120.0
    require_empty_queue: bool = True
    #: Hours after which time wakes a quiet store, if a dream would find something to do. None: only activity does.
    wake_hours: float | None = None
    #: Number of failed dreams in a row after which a store stops dreaming until it is resumed.
    quarantine_after: int | None = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherPolicy:
    """The limits for the parts of new sessions that a dream reads: windows around hits, never whole transcripts."""

    max_windows: int = 120
    events_before: int = 2
    events_after: int = 1
    line_chars: int = 1_500
    payload_cap_chars: int = 60_000
    related_limit: int = 3
    min_theme_sessions: int = 2
    max_themes: int = 10
    max_suspects: int = 10
    max_memories: int = 120
    review_below_confidence: float = 0.7
    #: What happened goes to `episodic/{conversation, task, decision, discovery, problem}`.
    episodes: bool = False
    #: Noted corrections are read, also where the phase reads no sessions.
    corrections: bool = True


#: UTF-8 bytes of a token as budgets count them, measured on notes in English and Chinese.
BYTES_A_TOKEN = 3.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowPolicy:
    """The budgets of what one dream shows a model, in tokens. A budget that is not needed costs nothing.

    Attributes:
        tokens: of memories by statements; fewer where little has changed.
        session_tokens: of what people said and no search found anything in, and as many of memories that it may be about;
            0 shows hits only.
    """

    tokens: int = 60_000
    session_tokens: int = 20_000


class Verified(StrEnum):
    """The fate of a change that every check confirms, of a model that has passed its exam."""

    APPLY = "apply"
    PROPOSE = "propose"


#: The reason of a proposal that no check doubts.
ALL_PROPOSED = "this store asks a person about verified changes, too (merge.verified)"
#: The reason of a proposal of a model that may not act.
NOT_EXAMINED = "its model has not passed the exam that lets it act (docs/exam.md)"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePolicy:
    """The rule for verified changes: merges, updates and repeats."""

    verified: Verified = Verified.APPLY


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidatePolicy:
    """The limits of one consolidate call, and the confidence below which a person looks at its answers.

    Attributes:
        related_limit: relatives of a changed memory, besides near-duplicates.
        payload_cap_chars: characters of a call.
        max_changed_per_call: changed memories of a call; three that are shown in part count as one.
        small_folder_files: the largest number of files of a folder that is shown whole with its changed ones.
        whole_chars: the characters of changed memories that one dream shows whole, and of the rest of small folders,
            that are neither alike nor to be dated.
        excerpt_chars: the characters of each further memory, and of each relative; 0 shows every memory whole.
        beside_chars: the characters that one dream shows of the rest of small folders beyond that: each file gets the same share,
            of `excerpt_chars` at most, and its title at least.
        far_chars: the characters that one dream shows of relatives in other calls that deserve a link at most.
        shared_call_chars: domains share a call while it has no more characters; 0 gives each domain its own.
        review_below_confidence: a person looks at answers below it.
    """

    related_limit: int = 5
    payload_cap_chars: int = 200_000
    max_changed_per_call: int = 40
    small_folder_files: int = 8
    whole_chars: int = 12_000
    excerpt_chars: int = 150
    beside_chars: int = 6_000
    far_chars: int = 12_000
    shared_call_chars: int = 40_000
    review_below_confidence: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesizePolicy:
    """The rules for a synthesis and its file.

    Of the digests that slowwave makes of domains, a model sees a limited part of each line (0: all of it), and of all together.
    Beside the domains that changed it sees `known_domains` of the others (0: all of them), those that share most words with these.
    """

    min_domains: int = 2
    duplicate_bm25: float = 0.5
    duplicate_limit: int = 5
    review_below_confidence: float = 0.7
    max_drafts: int = 5
    summary_cap_chars: int = 500
    max_tags: int = 8
    max_keywords: int = 15
    domain_digest_chars: int = 1_200
    shown_line_chars: int = 84
    shown_digests_chars: int = 20_000
    known_domains: int = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectPolicy:
    """Reflection over the top memories. The numbers are those that SwarmClaw publishes for its second tier.

    `known_chars` is ours: the limit for a memory that has not changed since the last dream, where that is less.
    """

    enabled: bool = True
    max_memories: int = 50
    min_memories: int = 3
    preview_chars: int = 300
    known_chars: int = 100
    max_insights: int = 5
    max_reflections: int = 3
    max_flags: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunePolicy:
    """The bounds of stale and low-value memories. Days without a touch per maturity; importance on 0..100.

    Rules read `preview_chars` of a candidate, as ByteRover does; a model sees `shown_chars` of it, or as much (0).
    """

    max_candidates: int = 20
    min_importance: float = 35.0
    draft_stale_days: float = 60.0
    validated_stale_days: float = 120.0
    preview_chars: int = 1_000
    shown_chars: int = 300
    stub_chars: int = 320
    stub_cap_tokens: int = 220


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPolicy:
    """The sizes beyond which a memory becomes a hub with parts. Of 163 files of real agents, two are as large.

    Attributes:
        max_chars: a memory with more is too large.
        max_topics: one with more topics is, too, if it has more than `min_chars`. None with 4,000 or less is looked at.
        min_part_chars: a shorter topic stays in the hub.
        max_memories: the most memories that one dream examines, changed ones and then the largest first.
        without_review: it is done at once, by the store's autonomy, and not proposed.
    """

    max_chars: int = 16_000
    max_topics: int = 20
    min_chars: int = 8_000
    min_part_chars: int = 600
    max_memories: int = 20
    without_review: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyPolicy:
    """Rules that hold for every phase and that no directive can switch off."""

    loss_cap_share: float = 0.25
    loss_cap_floor: int = 1
    #: Days for which earlier retirements count as long as they wait for a review.
    loss_window_days: float = 7.0
    protected_importance: float = 80.0
    protected_reinforcements: int = 5
    #: Whether the importance that protects is the decayed one. Otherwise a protection does not wear off.
    protection_fades: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetPolicy:
    """Limits of time and money. Tokens count prompt and answer; dollars are the cost of the store's own calls."""

    dream_seconds: float = 300.0
    call_timeout_seconds: float = 120.0
    max_output_tokens: int = 8_192
    tokens_per_call: int = 80_000
    tokens_per_dream: int = 400_000
    tokens_per_day: int = 2_000_000
    usd_per_day: float | None = None
    usd_per_month: float | None = None
    calls_side_by_side: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPolicy:
    """The size of the index that an agent always keeps in context."""

    max_lines: int = 200
    max_bytes: int = 25_000
    pointer_chars: int = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeGatePolicy:
    """The days for which answers stay valid. 0 `forced_days`: no question is skipped. 0 `reopen_days`: no cluster is examined again."""

    forced_days: float = 7.0
    reopen_days: float = 7.0
    reopen_cap_days: float = 56.0
    max_reopened: int = 10


#: Groups of settings that change neither what a model is shown nor what becomes of its answer.
_UNASKED: Mapping[str, bool] = {"concerns_answers": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Every rule and number of a dream over one store. `phases` holds the switches that the store sets itself."""

    profile: str = field(default="default", metadata=_UNASKED)
    autonomy: Autonomy = Autonomy.FLAG
    gates: GatePolicy = field(default_factory=GatePolicy, metadata=_UNASKED)
    phases: Mapping[str, bool] = field(default_factory=dict, hash=False, metadata=_UNASKED)
    sessions: SessionsPolicy = field(default_factory=SessionsPolicy, metadata=_UNASKED)
    secrets: SecretsPolicy = field(default_factory=SecretsPolicy, metadata=_UNASKED)
    personal_data: PersonalDataPolicy = field(default_factory=PersonalDataPolicy, metadata=_UNASKED)
    recall: RecallPolicy = field(default_factory=RecallPolicy, metadata=_UNASKED)
    evidence: EvidencePolicy = field(default_factory=EvidencePolicy, metadata=_UNASKED)
    gather: GatherPolicy = field(default_factory=GatherPolicy)
    decay: DecayPolicy = field(default_factory=DecayPolicy, metadata=_UNASKED)
    maintain: MaintainPolicy = field(default_factory=MaintainPolicy, metadata=_UNASKED)
    digest: DigestPolicy = field(default_factory=DigestPolicy)
    compaction: CompactionPolicy = field(default_factory=CompactionPolicy)
    show: ShowPolicy = field(default_factory=ShowPolicy)
    merge: MergePolicy = field(default_factory=MergePolicy)
    consolidate: ConsolidatePolicy = field(default_factory=ConsolidatePolicy)
    synthesize: SynthesizePolicy = field(default_factory=SynthesizePolicy)
    reflect: ReflectPolicy = field(default_factory=ReflectPolicy)
    prune: PrunePolicy = field(default_factory=PrunePolicy)
    split: SplitPolicy = field(default_factory=SplitPolicy)
    skills: SkillsPolicy = field(default_factory=SkillsPolicy)
    preferences: PreferencePolicy = field(default_factory=PreferencePolicy)
    workflows: WorkflowPolicy = field(default_factory=WorkflowPolicy)
    change_gate: ChangeGatePolicy = field(default_factory=ChangeGatePolicy, metadata=_UNASKED)
    safety: SafetyPolicy = field(default_factory=SafetyPolicy)
    budget: BudgetPolicy = field(default_factory=BudgetPolicy, metadata=_UNASKED)
    index: IndexPolicy = field(default_factory=IndexPolicy, metadata=_UNASKED)

    def settings_for_answers(self) -> dict[str, object]:
        """Return the settings that a model's answer, or what becomes of it, depends on."""
        concerned = [one.name for one in fields(self) if one.metadata.get("concerns_answers", True)]
        return {name: getattr(self, name) for name in concerned}
