"""Show one memory with its history and provenance, and compare any two of its versions."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from gateway.api.http.paging import Cursor, decode_cursor, page_of, read_position
from gateway.api.http.parameters import MemoryId, StoreName
from gateway.api.resources.history_page import cursor_of, read_history_page
from gateway.console.memories.markdown import read_markdown, show_markdown
from gateway.console.memories.text_view import get_part, read_frontmatter_view, take_rows
from gateway.console.pages import page
from gateway.console.views.diff_rows import diff_rows
from gateway.console.visitor import Reader, Visitor
from shared.core.memory.frontmatter import body_of
from shared.core.memory.model import Memory, MemoryKind, kind_of
from shared.core.memory.provenance import read_sources
from shared.core.trust.shares import take_first
from shared.ports.memories import MemoryVersion
from shared.services.memories.history import HistoryEntry, get_versions
from shared.services.memories.links import find_linked_from
from shared.services.memories.tree import find_linked

router = APIRouter(prefix="/console/t/{tenant}/stores/{store}/memories/{memory_id}", include_in_schema=False)
_VERSIONS = 20
_LINKED = 20
_STATEMENTS = 200
_HIGHEST = 1_000_000_000
Number = Annotated[int, Query(ge=1, le=_HIGHEST)]
View = Annotated[str, Query(pattern="^(text|source)$")]


@dataclass(frozen=True, slots=True)
class _Places:
    """The cursors of a memory's two lists: its history, and the memories that link to it."""

    cursor: Cursor = None
    linked: Cursor = None


@router.get("")
def show(
    request: Request,
    visitor: Reader,
    store: StoreName,
    memory_id: MemoryId,
    places: Annotated[_Places, Depends()],
    view: View = "text",
    part: Number = 1,
) -> Response:
    """Show a memory: its text, its history, the memories merged into it, and those that link to it."""
    below = read_position(places.cursor)
    found = read_history_page(visitor.ports.db, visitor.tenant_id, store, memory_id, below=below, limit=_VERSIONS + 1)
    why, is_more = found.history, found.following is not None or len(found.entries) > _VERSIONS
    # The oldest one is there to be compared with, unless its text takes a page by itself.
    shown = found.entries[:-1] if is_more and len(found.entries) > 1 else found.entries
    following = cursor_of(shown[-1]) if is_more else None
    olders = [one.version for one in found.entries[1:]] + [None]
    known: dict[str, Any] = {"store": store, "why": why, "memory": why.memory, "view": view}
    known |= _text_of(visitor, store, why.memory, view, part)
    known |= _linked_from(visitor, store, why.memory, places.linked)
    shares, unshown = take_first(why.shares, _STATEMENTS)
    return page(
        request,
        visitor,
        "memories/memory.html",
        steps=[_step(entry, older) for entry, older in zip(shown, olders, strict=False)],
        said=read_sources(why.memory.content),
        shares=shares,
        unshown=unshown,
        folders=_folders_of(why.memory.path),
        following=following,
        cursor=places.cursor,
        **known,
    )


def _linked_from(visitor: Visitor, store: str, memory: Memory, linked: str | None) -> dict[str, Any]:
    """Return one page of the memories whose links lead here."""
    found = find_linked_from(
        visitor.ports.db, visitor.tenant_id, store, memory, after_id=decode_cursor(linked) or "", limit=_LINKED + 1
    )
    shown, following = page_of(found, _LINKED, lambda one: one.id)
    return {"linked": shown, "linked_following": following, "is_further": linked is not None}


def _step(entry: HistoryEntry, older: MemoryVersion | None) -> tuple[HistoryEntry, int | None, bool]:
    """Return a version, the number of the one before it, and whether their texts differ."""
    if older is None:
        return entry, None, False
    return entry, older.version, older.content != entry.version.content


def _text_of(visitor: Visitor, store: str, memory: Memory, view: str, part: int) -> dict[str, Any]:
    """Return what a page shows of a text: rendered, or as it is written."""
    is_rendered = view == "text" and kind_of(memory.path) is not MemoryKind.SKILL_FILE
    shown = get_part(body_of(memory.content) if is_rendered else memory.content, part)
    known: dict[str, Any] = {"part": shown, "is_rendered": is_rendered, "matter": None, "text": shown.text}
    if not is_rendered:
        return known
    reading = read_markdown(shown.text)
    linked = find_linked(visitor.ports.db, visitor.tenant_id, store, memory.path, reading.links)
    base = f"/console/t/{visitor.tenant_id}/stores/{store}/memories"
    text = show_markdown(reading, {link: f"{base}/{target}" for link, target in linked.items()})
    return known | {"matter": read_frontmatter_view(memory.content), "text": text}


def _folders_of(path: str) -> list[tuple[str, str]]:
    """Return the name and the path of each folder that a memory stands in, outermost first."""
    steps = path.split("/")[:-1]
    return [(step, "/".join(steps[: place + 1]) + "/") for place, step in enumerate(steps)]


@router.get("/compare")
def compare(
    request: Request,
    visitor: Reader,
    store: StoreName,
    memory_id: MemoryId,
    old: Number = 1,
    new: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
    start: Annotated[int, Query(ge=0, le=_HIGHEST)] = 0,
) -> Response:
    """Show what differs between two versions of a memory, by default the first and the newest one."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    memory, versions = get_versions(db, tenant_id, store, memory_id, [old, new])
    newest = memory.version
    if new == 0:
        memory, versions = get_versions(db, tenant_id, store, memory_id, [old, newest])
    sides = versions.get(old), versions.get(new or newest)
    before, after = sides
    rows = diff_rows(before.content, after.content) if before is not None and after is not None else []
    shown, following = take_rows(rows, start) if rows else ([], None)
    known: dict[str, Any] = {"store": store, "memory": memory, "sides": sides, "old": old, "new": new or newest}
    known |= {"rows": shown, "following": following, "is_too_long": rows is None}
    known["is_same"] = before is not None and after is not None and before.content == after.content
    template = "memories/compared.html" if request.headers.get("hx-request") else "memories/compare.html"
    return page(request, visitor, template, **known)
