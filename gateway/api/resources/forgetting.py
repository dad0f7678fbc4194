"""Forget a text, a memory, a session or a person in a store."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gateway.api.http.auth import Administrator
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from shared.services.forgetting.forget import OUT_OF_REACH, Forgotten, forget
from shared.services.forgetting.known_of import Known, find_known
from shared.services.forgetting.wanted import MAX_TEXT_CHARS, Kind, Target

router = APIRouter(prefix="/api/stores/{store}", tags=["memories"], route_class=OneThreadRoute)
_KNOWN = TypeAdapter(Known)


class ForgetIn(BaseModel):
    """The target: what is to be forgotten."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"what": "text", "value": "0170 1234567", "dry_run": True}}
    )

    what: Kind = Field(
        description="`text`: words, whatever stands between their letters. `memory`: by its id or path, with all that it says. "
        "`session`: by its id, with all that came from it. `person`: a speaker's name or the actor of writes."
    )
    value: str = Field(min_length=1, max_length=MAX_TEXT_CHARS, pattern=r"^[^\x00]*$")
    dry_run: bool = Field(False, description="Only say what would be forgotten.")


class PlaceOut(BaseModel):
    """A column where it stood."""

    place: str = Field(description="The table and the column.")
    rows: int
    what_happens: str


class QuoteOut(BaseModel):
    """One of the sentences in which it stands."""

    place: str
    said: str


class ForgottenOut(BaseModel):
    """The result: what was forgotten, or with `dry_run` what would be."""

    is_preview: bool
    places: list[PlaceOut]
    quotes: list[QuoteOut] = Field(description="Some of the sentences, of a preview only.")
    rewritten: list[str] = Field(description="The paths of live memories that go on without it.")
    archived: list[str] = Field(description="The paths of memories that are archived and emptied.")
    events: int = Field(description="Number of deleted events, if a session was named.")
    tombstones: int = Field(description="Number of texts that are left out from now on, wherever they come in.")
    told: list[str] = Field(description="Columns of settings where a person has to change it.")
    out_of_reach: list[str]


@router.post("/forget", responses=answers(409), summary="Forget for good")
def forget_in_store(store: StoreName, body: ForgetIn, caller: Administrator) -> ForgottenOut:
    """Forget a text, a memory, a session or a person: every copy of it in the store, in one transaction. It cannot be undone.

    Live memories lose the statement, everything else the words. The answer is 409 while a dream of the store runs.
    """
    target = Target(body.what, body.value)
    return _out(forget(caller.ports.db, caller.tenant_id, store, target, actor=caller.actor, dry_run=body.dry_run))


class KnownOut(BaseModel):
    """All that a store knows of a person."""

    store: str
    person: str
    memories: list[dict[str, Any]] = Field(
        description="Memories that name the person, come from what they said, or were written by them: `id`, `path`, `state`, "
        "`content`, `statements` (each with its `text` and its `sources`) and `versions`."
    )
    events: list[dict[str, Any]] = Field(description="Events of sessions that name the person or were said by them.")
    elsewhere: list[dict[str, Any]] = Field(description="Rows of other tables that name the person.")


@router.get("/known-of", responses=answers(), summary="Read what is known of a person")
def known_of(
    store: StoreName,
    caller: Administrator,
    person: Annotated[
        str,
        Query(
            min_length=1,
            max_length=200,
            pattern=r"^[^\x00]*$",
            description="A speaker's name, or the actor of writes.",
            examples=["Mara"],
        ),
    ],
) -> KnownOut:
    """Return all that a store knows of a person: memories with their versions and sources, events, and other rows."""
    known = find_known(caller.ports.db, caller.tenant_id, store, person)
    return KnownOut.model_validate(_KNOWN.dump_python(known, mode="json"))


def _out(found: Forgotten) -> ForgottenOut:
    return ForgottenOut(
        is_preview=found.is_preview,
        places=[PlaceOut(place=one.place, rows=one.rows, what_happens=one.treatment) for one in found.places],
        quotes=[QuoteOut(place=one.place, said=one.said) for one in found.quotes],
        rewritten=list(found.rewritten),
        archived=list(found.archived),
        events=found.events,
        tombstones=found.tombstones,
        told=list(found.told),
        out_of_reach=list(OUT_OF_REACH),
    )
