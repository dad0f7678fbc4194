"""A dream that was ordered over the API: its inputs, its output, and its progress in the client's words."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shared.core.dream.model import Dream, DreamState
from shared.core.errors import BadInputError

#: As Anthropic's Dreams API documents them.
MAX_SESSIONS = 100
MAX_INSTRUCTIONS_CHARS = 4_096
MAX_MODEL_CHARS = 256


class OutputBehavior(StrEnum):
    """The output of a dream: into a copy, the input untouched, or into the input itself."""

    CREATE_NEW = "create_new"
    UPDATE_EXISTING = "update_existing"


class OrderStatus(StrEnum):
    """The states of an ordered dream; the last three are final."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamOrder:
    """An order for a dream. The dream writes to its own store, which was copied from `input_store_id`.

    Without sessions it only works on the memories.
    """

    dream_id: str
    input_store_id: str
    behavior: OutputBehavior
    session_ids: tuple[str, ...]
    instructions: str | None = None
    model: str = ""
    archived_at: datetime | None = None


#: By state, and whether a cancel was requested: a running dream counts as canceled from the request on.
_STATUS: dict[tuple[DreamState, bool], OrderStatus] = {
    (DreamState.QUEUED, False): OrderStatus.PENDING,
    (DreamState.QUEUED, True): OrderStatus.CANCELED,
    (DreamState.RUNNING, False): OrderStatus.RUNNING,
    (DreamState.RUNNING, True): OrderStatus.CANCELED,
    (DreamState.COMPLETED, False): OrderStatus.COMPLETED,
    (DreamState.COMPLETED, True): OrderStatus.CANCELED,
    (DreamState.PARTIAL, False): OrderStatus.FAILED,
    (DreamState.PARTIAL, True): OrderStatus.CANCELED,
    (DreamState.ERROR, False): OrderStatus.FAILED,
    (DreamState.ERROR, True): OrderStatus.CANCELED,
    (DreamState.CANCELED, False): OrderStatus.FAILED,  # by a gate that closed before it began, not by a person
    (DreamState.CANCELED, True): OrderStatus.CANCELED,
    (DreamState.UNDONE, False): OrderStatus.COMPLETED,  # an undone dream had ended before
    (DreamState.UNDONE, True): OrderStatus.CANCELED,
}
FINAL = frozenset({OrderStatus.COMPLETED, OrderStatus.FAILED, OrderStatus.CANCELED})
_ERRORS = {
    DreamState.PARTIAL: "timeout",
    DreamState.ERROR: "internal_error",
    DreamState.CANCELED: "not_started",
}


def decide_status(dream: Dream) -> OrderStatus:
    """Return the status of a dream in the API's terms."""
    return _STATUS[dream.state, dream.cancel_requested_at is not None]


def find_states(status: OrderStatus) -> list[tuple[DreamState, bool]]:
    """Return the states (and whether a cancel was asked for) that show as a status."""
    return [pair for pair, shown in _STATUS.items() if shown is status]


def decide_error(dream: Dream) -> tuple[str, str] | None:
    """Return a code and a sentence for a failed dream, or None. The changes of a partial dream stay in its output."""
    if decide_status(dream) is not OrderStatus.FAILED:
        return None
    return _ERRORS[dream.state], dream.reason or f"The dream ended as {dream.state}"


def check_order(order: DreamOrder) -> DreamOrder:
    """Return an order with its sessions sorted. Raises BadInputError saying what is wrong with it."""
    ids = order.session_ids
    if len(ids) > MAX_SESSIONS:
        raise BadInputError(f"A dream reads at most {MAX_SESSIONS} sessions; these are {len(ids)}")
    if len(set(ids)) < len(ids):
        raise BadInputError("A session is named twice")
    if order.instructions is not None and not 1 <= len(order.instructions) <= MAX_INSTRUCTIONS_CHARS:
        raise BadInputError(f"instructions have 1 to {MAX_INSTRUCTIONS_CHARS:,} characters")
    if not 1 <= len(order.model) <= MAX_MODEL_CHARS:
        raise BadInputError(f"model has 1 to {MAX_MODEL_CHARS} characters")
    if "\x00" in f"{order.instructions}{order.model}":
        raise BadInputError("instructions and model hold no NUL character")
    return order
