"""Export a store's files page by page, either all as they are or without changes that no person approved."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from gateway.api.http.auth import Caller, Reader
from gateway.api.http.paging import MAX_PAGE_BYTES, Cursor, Limit, Page, decode_cursor, encode_cursor, find_within
from gateway.api.http.parameters import StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.sizes import json_size
from shared.core.memory.model import Memory
from shared.services.memories.export_page import ExportLine, find_live_texts, find_reviewed_lines, lines_of

router = APIRouter(prefix="/api/stores/{store}", tags=["memories"], route_class=OneThreadRoute)
Reviewed = Annotated[
    bool, Query(description="Leave out changes of dreams that no person approved, and return the text from before.")
]


class FileOut(BaseModel):
    """One file of an export."""

    path: str
    content: str | None = Field(description="The text, byte for byte; null for a file that is left out.")
    updated_at: datetime | None
    left_out: str | None = Field(description="Why a reviewed export leaves this file out; null for every other file.")


@router.get("/export", responses=answers(), summary="Export the files of a store")
def export(
    store: StoreName, caller: Reader, *, reviewed: Reviewed = False, limit: Limit = 50, cursor: Cursor = None
) -> Page[FileOut]:
    """List live memories with their texts, by path. A page of long texts ends before `limit`.

    A page of a reviewed export may be empty although more follow: continue until `next_cursor` is null.
    """
    after = decode_cursor(cursor) or ""
    read, is_more = _read(caller, store, after, limit)
    until = read[-1].path if is_more else None
    if not reviewed:
        return _page(lines_of(read), until)
    lines = find_reviewed_lines(caller.db, caller.tenant_id, store, read, after_path=after, until_path=until)
    shown = _fitting(lines, limit)
    return _page(shown, until if len(shown) == len(lines) else shown[-1].path)


def _read(caller: Caller, store: str, after: str, limit: int) -> tuple[list[Memory], bool]:
    def find(start_after: str | None, wanted: int) -> list[Memory]:
        return find_live_texts(caller.db, caller.tenant_id, store, after_path=start_after or "", limit=wanted)

    return find_within(find, after, limit, size_of=lambda one: json_size(one.content), place=lambda one: one.path)


def _fitting(lines: Sequence[ExportLine], limit: int) -> Sequence[ExportLine]:
    """Return the first lines that fit on a page, at least one. A reviewed export adds files that a dream has hidden."""
    size = 0
    for number, line in enumerate(lines[:limit]):
        size += json_size(line.content or "")
        if number and size > MAX_PAGE_BYTES:
            return lines[:number]
    return lines[:limit]


def _page(lines: Sequence[ExportLine], until: str | None) -> Page[FileOut]:
    data = [
        FileOut(path=one.path, content=one.content, updated_at=one.updated_at, left_out=one.left_out) for one in lines
    ]
    return Page(data=data, next_cursor=encode_cursor(until) if until is not None else None)
