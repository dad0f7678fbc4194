"""Define the JSON shapes of dreams in Anthropic's API."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from shared.core.dream.orders import (
    MAX_INSTRUCTIONS_CHARS,
    MAX_MODEL_CHARS,
    MAX_SESSIONS,
    DreamOrder,
    OrderStatus,
    OutputBehavior,
    decide_error,
    decide_status,
)
from shared.core.errors import BadInputError
from shared.services.orders import OrderView

_STORE = "memstore_01JD0000000000000000000000"
_EXAMPLE: JsonDict = {
    "inputs": [
        {"type": "memory_store", "memory_store_id": _STORE},
        {"type": "sessions", "session_ids": ["sesn_01JD0000000000000000000000"]},
    ],
    "model": "claude-opus-4-8",
}
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]


class StoreInput(BaseModel):
    """The store that a dream reads."""

    type: Literal["memory_store"]
    memory_store_id: Id


class SessionsInput(BaseModel):
    """The sessions that a dream reads."""

    type: Literal["sessions"]
    session_ids: list[Id] = Field(max_length=MAX_SESSIONS)


class ModelConfig(BaseModel):
    """The requested model. The operator chooses the model that runs."""

    id: str = Field(min_length=1, max_length=MAX_MODEL_CHARS)
    speed: Literal["standard"] | None = "standard"


class CreateNew(BaseModel):
    """Write into a copy of the input store."""

    type: Literal["create_new"] = "create_new"


class UpdateExisting(BaseModel):
    """Write into the input store."""

    type: Literal["update_existing"]
    memory_store_id: Id


Input = Annotated[StoreInput | SessionsInput, Field(discriminator="type")]
Behavior = Annotated[CreateNew | UpdateExisting, Field(discriminator="type")]


class DreamIn(BaseModel):
    """A new dream: exactly one store, and at most one list of sessions."""

    model_config = ConfigDict(json_schema_extra={"example": _EXAMPLE})

    inputs: list[Input] = Field(max_length=10)
    model: Annotated[str, Field(min_length=1, max_length=MAX_MODEL_CHARS)] | ModelConfig
    instructions: str | None = Field(None, min_length=1, max_length=MAX_INSTRUCTIONS_CHARS)
    output_behavior: Behavior | None = None

    def to_order(self) -> DreamOrder:
        """Return the order. Raises BadInputError unless the inputs are one store and at most one list of sessions."""
        stores = [one for one in self.inputs if isinstance(one, StoreInput)]
        sessions = [one for one in self.inputs if isinstance(one, SessionsInput)]
        if len(stores) != 1 or len(sessions) > 1:
            raise BadInputError("inputs holds exactly one memory_store and at most one sessions entry")
        behavior = self.output_behavior or CreateNew()
        if isinstance(behavior, UpdateExisting) and behavior.memory_store_id != stores[0].memory_store_id:
            raise BadInputError("output_behavior.memory_store_id must be the memory store of inputs")
        return DreamOrder(
            dream_id="",
            input_store_id=stores[0].memory_store_id,
            behavior=OutputBehavior(behavior.type),
            session_ids=tuple(sessions[0].session_ids) if sessions else (),
            instructions=self.instructions,
            model=self.model if isinstance(self.model, str) else self.model.id,
        )


class DreamError(BaseModel):
    """The error of a failed dream."""

    type: str
    message: str


class Output(BaseModel):
    """The store with the result."""

    type: Literal["memory_store"] = "memory_store"
    memory_store_id: str


class Usage(BaseModel):
    """Tokens used so far."""

    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int
    cache_read_input_tokens: int


class ModelOut(BaseModel):
    """The requested model."""

    id: str
    speed: Literal["standard"] = "standard"


class DreamOut(BaseModel):
    """A dream."""

    type: Literal["dream"] = "dream"
    id: str
    status: OrderStatus
    inputs: list[Input]
    outputs: list[Output]
    output_behavior: Behavior
    model: ModelOut
    instructions: str | None
    error: DreamError | None
    usage: Usage
    session_id: str | None = Field(None, description="Always null: slowwave runs dreams outside sessions.")
    created_at: datetime
    ended_at: datetime | None
    archived_at: datetime | None


def dream_out(view: OrderView) -> DreamOut:
    """Return a dream as JSON. A partial dream has failed with `timeout`, and still has its result in `outputs`."""
    dream, order, usage = view.dream, view.order, view.usage
    status = decide_status(dream)
    error = decide_error(dream)
    is_copy = order.behavior is OutputBehavior.CREATE_NEW
    canceled_at = dream.cancel_requested_at if status is OrderStatus.CANCELED else None
    return DreamOut(
        id=dream.id,
        status=status,
        inputs=[
            StoreInput(type="memory_store", memory_store_id=order.input_store_id),
            SessionsInput(type="sessions", session_ids=list(order.session_ids)),
        ],
        outputs=[Output(memory_store_id=dream.store_id)] if dream.started_at is not None else [],
        output_behavior=CreateNew()
        if is_copy
        else UpdateExisting(type="update_existing", memory_store_id=order.input_store_id),
        model=ModelOut(id=order.model),
        instructions=order.instructions,
        error=DreamError(type=error[0], message=error[1]) if error else None,
        usage=Usage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_creation_input_tokens=usage.cache_write_tokens,
            cache_read_input_tokens=usage.cached_tokens,
        ),
        created_at=dream.created_at,
        ended_at=dream.finished_at or canceled_at,
        archived_at=order.archived_at,
    )
