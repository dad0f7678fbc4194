"""Forget a text, a memory, a session or a person in a store."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from gateway.api.http.auth import Administrator
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import MAX_PAGE_BYTES
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from shared.core.errors import BadInputError
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
    value: str = Field(
        min_length=1,
        max_length=MAX_TEXT_CHARS,
        pattern=r"^[^\x00]*$",
        description="The words, the memory's path or id, the session's id, or the name.",
        examples=["0170 1234567"],
    )
    dry_run: bool = Field(False, description="Only say what would be forgotten.")


class PlaceOut(BaseModel):
    """A column where it stood."""

    place: str = Field(description="The table and the column.", examples=["session_events.text"])
    rows: int = Field(description="Number of its rows.")
    what_happens: str = Field(description="What happens to them.", examples=["the words are replaced"])


class QuoteOut(BaseModel):
    """One of the sentences in which it stands."""

    place: str = Field(description="The table and the column.", examples=["memories.content"])
    said: str = Field(description="The sentence.", examples=["Her number is 0170 1234567."])


class ForgottenOut(BaseModel):
    """The result: what was forgotten, or with `dry_run` what would be."""

    is_preview: bool = Field(description="Whether nothing was changed.")
    places: list[PlaceOut] = Field(description="The columns where it stood.")
    quotes: list[QuoteOut] = Field(description="Some of the sentences, of a preview only.")
    rewritten: list[str] = Field(
        description="The paths of live memories that go on without it.", examples=[["team/phones.md"]]
    )
    archived: list[str] = Field(description="The paths of memories that are archived and emptied.", examples=[[]])
    events: int = Field(description="Number of deleted events, if a session was named.")
    tombstones: int = Field(description="Number of texts that are left out from now on, wherever they come in.")
    told: list[str] = Field(description="Columns of settings where a person has to change it.", examples=[[]])
    out_of_reach: list[str] = Field(
        description="What no request reaches.", examples=[["backups hold it until they expire"]]
    )


@router.post("/forget", response_model=ForgottenOut, responses=answers(409), summary="Forget for good")
def forget_in_store(store: StoreName, body: ForgetIn, caller: Administrator, once: Idempotent) -> Response:
    """Forget a text, a memory, a session or a person: every copy of it in the store, in one transaction. It cannot be undone.

    Live memories lose the statement, everything else the words. The answer is 409 while a dream of the store runs.
    """
    target = Target(body.what, body.value)

    def produce() -> ForgottenOut:
        found = forget(caller.ports.db, caller.tenant_id, store, target, actor=caller.actor, dry_run=body.dry_run)
        return _out(found)

    # A preview quotes what is to be forgotten: its answer is not kept.
    return JSONResponse(produce().model_dump(mode="json")) if body.dry_run else once.answer(caller, 200, produce)


class KnownOut(BaseModel):
    """All that a store knows of a person."""

    store: str = Field(description="The store.")
    person: str = Field(description="The name that was asked for.", examples=["Mara"])
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
    known = _KNOWN.dump_python(find_known(caller.ports.db, caller.tenant_id, store, person), mode="json")
    if json_size(known) > MAX_PAGE_BYTES:
        raise BadInputError(
            "That is more than one answer holds (2 MB); `slowwave memory known-of` writes all of it into a folder"
        )
    return KnownOut.model_validate(known)


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
