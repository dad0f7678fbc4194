"""Read what a week of dreams was worth: what was learned, how much of it was right, what it cost, and what waits."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from gateway.api.http.auth import Reader
from gateway.api.http.parameters import StoreFilter
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.dreams import FoundOut
from shared.core.dream.recall import ProbeKind
from shared.core.insight.digest import list_facts
from shared.services.insight.week import get_week

router = APIRouter(prefix="/api/insight", tags=["insight"], route_class=OneThreadRoute)
Week = Annotated[
    date | None, Query(description="Any day of the week, in the time zone of the tenant. Default: this week.")
]


class LessonOut(BaseModel):
    """A statement that a dream brought into the memory."""

    text: str
    instead_of: str = Field(description="The statement that it took the place of; empty if it is new.")
    store: str
    path: str = Field(description="The memory that has it.")
    operation_id: str


class JudgedOut(BaseModel):
    """The fate of the changes that dreams made or proposed; each is counted once."""

    approved: int = Field(description="Approved by a person.")
    rejected: int = Field(description="Rejected by a person.")
    taken_back: int = Field(description="Undone with its dream.")
    waiting: int = Field(description="Waiting for a person.")
    unjudged: int = Field(description="In force, and looked at by no person.")


class WeekOut(BaseModel):
    """One week of a tenant or a store."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "week": "2026-11-23",
                "lessons": [
                    {
                        "text": "Staging runs on pg-9.",
                        "instead_of": "Staging runs on pg-7.",
                        "store": "default",
                        "path": "ops/databases.md",
                        "operation_id": "op_01JD0000000000000000000000",
                    }
                ],
                "memories_written": 12, "memories_imported": 0,
                "judged": {"approved": 5, "rejected": 1, "taken_back": 0, "waiting": 3, "unjudged": 9},
                "model_calls": 14, "tokens": 48210, "cost_usd": 0.18,
                "recall": {
                    "pair": {"asked": 160, "before": 151, "after": 153, "lost": 0},
                    "asked": {"asked": 40, "before": 36, "after": 36, "lost": 1},
                },
                "to_review": 3,
                "markdown": "# Week of 23 November 2026\n",
            }
        }
    )  # fmt: skip

    week: date = Field(description="Its Monday.")
    lessons: list[LessonOut] = Field(description="The statements that matter most, at most five.")
    memories_written: int = Field(description="Memories that agents, people and dreams wrote, without imports.")
    memories_imported: int = Field(description="Memories that an import brought.")
    judged: JudgedOut = Field(description="What became of the changes that dreams made or proposed.")
    model_calls: int = Field(description="Calls of a model by the dreams of that week.")
    tokens: int
    cost_usd: float = Field(description="0 for models without a known price.")
    recall: dict[ProbeKind, FoundOut] = Field(
        description="What a search answered before and after the last dreams, by kind of questions; a kind of which nothing was asked is left out."
    )
    to_review: int = Field(description="Operations that wait for a person now.")
    markdown: str = Field(description="The same as a text to be mailed or posted.")


@router.get("", responses=answers(), summary="Get the digest of a week")
def get(caller: Reader, week: Week = None, store: StoreFilter = None) -> WeekOut:
    """Return what your memories learned in a week, whether it was right, what it cost, and what waits for a person."""
    found = get_week(caller.ports.db, caller.tenant_id, week, store=store or "")
    return WeekOut.model_validate(list_facts(found, caller.tenant_id))
