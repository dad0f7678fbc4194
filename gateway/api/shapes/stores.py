"""Define the JSON shapes of stores and their status."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from shared.core.dream.model import Dream
from shared.core.dream.notice import Notice
from shared.core.policy.policy import Autonomy
from shared.core.tenants.phase_models import OF_PHASE
from shared.core.tenants.store import Store
from shared.services.dreams.explain import StoreExplanation
from shared.services.tenants.effective import SETTING_GROUPS, EffectiveSettings

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"
Name = Annotated[str, Field(pattern=NAME, examples=["default"])]
#: More than the number of settings.
_MAX_OVERRIDES = 200
#: No setting takes longer texts.
_MAX_WORDS = 1_000


class StoreOut(BaseModel):
    """The memory of one agent, and its settings."""

    name: str
    profile: str
    autonomy: Autonomy
    overrides: dict[str, JsonValue]
    arm: str = Field(description="The arm that it tries settings in; empty for none.", examples=[""])
    paused: bool
    quarantined: bool = Field(
        description="Too many of its dreams failed in a row; none starts until the store is resumed."
    )
    curations: int = Field(description="Number of writes since the last dream.")
    sessions: int = Field(description="Number of sessions since the last dream.")
    last_dream_at: datetime | None
    last_dream_id: str | None
    total_dreams: int
    next_check_at: datetime | None


class StoreIn(BaseModel):
    """A new store."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"name": "support-bot"}})

    name: Name
    profile: str | None = Field(None, max_length=100)
    autonomy: Autonomy | None = None


_PhaseName = Annotated[str, Field(max_length=100)]
_ModelName = Annotated[str, Field(max_length=200)]


class StoreModelIn(BaseModel):
    """Model settings of a store; omitted ones stay, empty ones return to the tenant's. Keys are named, never sent."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"model": "claude-haiku-4-5"}})

    adapter: Literal["offline", "anthropic", "bedrock", "vertex", "openai", ""] | None = None
    model: str | None = Field(None, max_length=200)
    models: dict[_PhaseName, _ModelName] | None = Field(
        None, max_length=100, description="Models by phase; an empty one removes the phase's model."
    )
    better_model: str | None = Field(
        None, max_length=200, description="The better model, which is asked again if an answer is uncertain."
    )
    base_url: str | None = Field(None, max_length=500, description="Another endpoint with Anthropic's Messages API.")
    region: str | None = Field(None, max_length=100, description="The region, for Bedrock or Vertex.")
    project: str | None = Field(None, max_length=100, description="The project, for Vertex.")
    api_key_variable: str | None = Field(
        None, max_length=200, description="The environment variable of the workers that contains the key."
    )

    def changes(self) -> dict[str, str]:
        """Return the settings by name."""
        plain = self.model_dump(exclude_none=True, exclude={"models"})
        return plain | {f"{OF_PHASE}{phase}": model for phase, model in (self.models or {}).items()}


class SettingOut(BaseModel):
    """A setting that is in force for a store."""

    value: JsonValue = Field(description="The value; an endpoint without its password, a directive as its version.")
    source: str = Field(description="`store`, `tenant`, `installation`, `built-in` or the profile.")


class EffectiveOut(BaseModel):
    """The settings in force for a store, and the source of each."""

    store: str
    model: dict[str, SettingOut]
    directives: dict[str, SettingOut]
    budget: dict[str, SettingOut]
    policy: dict[str, SettingOut]


_SettingValue = bool | float | Annotated[str, Field(max_length=_MAX_WORDS)] | None


class StorePatch(BaseModel):
    """Changes to a store; omitted fields stay."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"overrides": {"gates.min_hours": 4}}})

    profile: str | None = Field(None, max_length=100)
    autonomy: Autonomy | None = None
    overrides: dict[Annotated[str, Field(max_length=100)], _SettingValue] = Field(
        default_factory=dict, max_length=_MAX_OVERRIDES, description="Single settings by key: docs/profiles.md."
    )
    unset: list[Annotated[str, Field(max_length=100)]] = Field(
        default_factory=list, max_length=_MAX_OVERRIDES, description="Settings that return to the profile's value."
    )
    arm: str | None = Field(
        None, max_length=128, description="Put it into this arm; empty: take it out, and leave its settings."
    )
    llm: StoreModelIn | None = Field(None, description="The store's own model. Needs an operator's key.")


class GateOut(BaseModel):
    """A shut gate."""

    gate: str
    reason: str
    retry_at: datetime | None


class UpkeepOut(BaseModel):
    """A daily digest or a compaction: whether it is due, or why not."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "kind": "digest", "due": False, "reason": "Not enough new memories (3 < 5 in 24 h)", "retry_at": None,
                "next_check_at": "2026-11-21T07:00:00Z",
            }
        }
    )  # fmt: skip

    kind: str
    due: bool
    reason: str
    retry_at: datetime | None
    next_check_at: datetime | None


class ProblemOut(BaseModel):
    """The newest dream of a store, if it did not complete or sleeps."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "dream": "drm_01JD0000000000000000000000", "state": "error", "finished_at": "2026-11-21T03:10:00Z",
                "reason": "no answer from the model (model_failed 4): The model server answered 401",
            }
        }
    )  # fmt: skip

    dream: str
    state: str
    finished_at: datetime | None
    reason: str = Field(description="The reason, with the error message of the model server, without the key.")


class StatusOut(BaseModel):
    """The status of a store: whether it may dream, or why not."""

    store: str
    eligible: bool
    reason: str = Field(description="The reason of the first shut gate; empty when the store may dream.")
    retry_at: datetime | None
    shut_gates: list[GateOut]
    next_check_at: datetime | None
    last_dream_at: datetime | None
    last_dream_id: str | None
    memories: int
    changed_memories: int
    pending_merges: int
    pending_reviews: int
    upkeep: list[UpkeepOut]
    active_dream: str | None = Field(description="The dream of this store that is now queued, running or asleep.")
    problem: ProblemOut | None = Field(description="The newest dream, if it failed, was cut short or sleeps.")


class NoticeOut(BaseModel):
    """A summary of a store's recent dreams, for the session of its agent. It quotes no memory."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "text": "Improved 3 memories; 1 change waits for a review", "improved": 3, "to_review": 1,
                "dreams": ["drm_01JD0000000000000000000000"], "until": "2026-11-21T03:10:00Z",
            }
        }
    )  # fmt: skip

    text: str
    improved: int
    to_review: int
    dreams: list[str]
    until: datetime | None = Field(description="Pass it as `since` to get only later dreams.")


def notice_out(found: Notice) -> NoticeOut:
    """Return a notice as JSON."""
    return NoticeOut(
        text=found.text,
        improved=found.improved,
        to_review=found.to_review,
        dreams=list(found.dream_ids),
        until=found.until,
    )


def store_out(store: Store) -> StoreOut:
    """Return a store as JSON."""
    plain = {name: getattr(store, name) for name in StoreOut.model_fields if name not in {"paused", "quarantined"}}
    return StoreOut(**plain, paused=store.paused_at is not None, quarantined=store.is_quarantined)


def effective_out(found: EffectiveSettings) -> EffectiveOut:
    """Return the settings in force for a store as JSON."""
    groups = {
        group: {
            key: SettingOut(value=list(one.value) if isinstance(one.value, tuple) else one.value, source=one.source)
            for key, one in getattr(found, group).items()
        }
        for group in SETTING_GROUPS
    }
    return EffectiveOut(store=found.store.name, **groups)


def status_out(explanation: StoreExplanation) -> StatusOut:
    """Return a store's status as JSON."""
    store, verdict = explanation.store, explanation.verdict
    return StatusOut(
        store=store.name,
        eligible=verdict.is_open,
        reason=verdict.reason,
        retry_at=verdict.retry_at,
        shut_gates=[GateOut(gate=one.gate, reason=one.reason, retry_at=one.retry_at) for one in explanation.gates],
        next_check_at=store.next_check_at,
        last_dream_at=store.last_dream_at,
        last_dream_id=store.last_dream_id,
        memories=explanation.live_memories,
        changed_memories=explanation.changed_memories,
        pending_merges=explanation.pending_merges,
        pending_reviews=explanation.pending_reviews,
        upkeep=[
            UpkeepOut(
                kind=line.trigger,
                due=line.verdict.is_open,
                reason=line.verdict.reason,
                retry_at=line.verdict.retry_at,
                next_check_at=line.next_check_at,
            )
            for line in explanation.upkeep
        ],
        active_dream=explanation.active.id if explanation.active is not None else None,
        problem=_problem_out(explanation.problem),
    )


def _problem_out(ended: Dream | None) -> ProblemOut | None:
    if ended is None:
        return None
    return ProblemOut(dream=ended.id, state=ended.state, finished_at=ended.finished_at, reason=ended.reason)
