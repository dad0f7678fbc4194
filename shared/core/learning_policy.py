"""The numbers of learning from what agents did: skills, preferences, and what workflows teach."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsPolicy:
    """How skills are found, merged and repaired. Sessions, terms, days and pairs as RockBot publishes them."""

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
    """When a repeated wish is a preference, and how long an inferred one may wait to be of use. RockBot's numbers."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowPolicy:
    """When runs of one kind teach something. RockBot's numbers; a share is of the runs of a kind."""

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
