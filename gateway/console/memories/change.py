"""Change one memory by hand: its text from the version that was read, its pin, and the text of an old version for good."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from gateway.api.http.parameters import MemoryId, StoreName
from gateway.console.memories.text_view import take_rows
from gateway.console.pages import go, page
from gateway.console.views.diff_rows import diff_rows
from gateway.console.visitor import Administrator, AdminReader, Visitor, Writer, WritingReader
from gateway.masking import tell_masked
from shared.core.errors import BadInputError, ConflictError, NotFoundError, PreconditionFailedError, ReservedPathError
from shared.core.memory.frontmatter import MAX_CONTENT_CHARS
from shared.core.memory.model import Author, Memory, MemoryState
from shared.core.memory.writers import Through
from shared.services.memories.edit import Expected, MemoryEdit, edit_memory
from shared.services.memories.history import get_versions
from shared.services.memories.read import get_memory
from shared.services.memories.redact import redact_version
from shared.services.tenants.stores import get_store

router = APIRouter(prefix="/console/t/{tenant}/stores/{store}/memories/{memory_id}", include_in_schema=False)
#: A form with a longer text would be slow to write in; the API and the command line take any.
MAX_EDITED_CHARS = 60_000
_HIGHEST = 1_000_000_000
Version = Annotated[int, Form(ge=1, le=_HIGHEST)]
#: A browser sends two characters for each end of a line.
Content = Annotated[str, Form(max_length=2 * MAX_CONTENT_CHARS)]


@router.get("/edit")
def open_form(request: Request, visitor: WritingReader, store: StoreName, memory_id: MemoryId) -> Response:
    """Show a memory's text in a form, with the version that it is of."""
    memory = get_memory(visitor.ports.db, visitor.tenant_id, store, memory_id)
    return _form(request, visitor, store, memory, memory.content)


def _form(
    request: Request, visitor: Visitor, store: str, memory: Memory, text: str, *, refused: str = "", begun: int = 0
) -> Response:
    """Return the form; after a refusal with what was written, beside what the memory says now."""
    known: dict[str, Any] = {"store": store, "memory": memory, "text": text, "refused": refused, "begun": begun}
    known["is_too_long"] = len(memory.content) > MAX_EDITED_CHARS and not refused
    known["is_live"] = memory.state is MemoryState.LIVE
    rows = diff_rows(memory.content, text) if begun and text != memory.content else []
    known["rows"], known["has_more"] = take_rows(rows, 0) if rows else (rows, None)
    return page(request, visitor, "memories/edit.html", status=409 if refused else 200, **known)


@router.post("/edit")
def save(
    request: Request,
    visitor: Writer,
    store: StoreName,
    memory_id: MemoryId,
    version: Version = 1,
    content: Content = "",
) -> Response:
    """Write a new text over the version that was read; over a later one only after both were seen."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    before = get_memory(db, tenant_id, store, memory_id)
    text = _with_endings_of(before, content)
    edit = MemoryEdit(
        content=text, actor=visitor.actor, may_instruct=visitor.author is Author.USER, through=Through.CONSOLE
    )
    expected = Expected(version=version)
    try:
        after = edit_memory(db, tenant_id, store, memory_id, edit, expected=expected, author=visitor.author)
    except PreconditionFailedError:
        now = get_memory(db, tenant_id, store, memory_id)
        return _form(request, visitor, store, now, text, refused=f"It is at version {now.version} now", begun=version)
    except (BadInputError, ConflictError, ReservedPathError) as error:
        return _form(request, visitor, store, before, text, refused=str(error))
    where = f"/console/t/{tenant_id}/stores/{store}/memories/{memory_id}"
    is_same = after.version == version
    return go(
        visitor,
        where,
        "Nothing was changed" if is_same else f"Saved as version {after.version}{tell_masked(text, after.content)}",
    )


def _with_endings_of(before: Memory, content: str) -> str:
    """Return a text that a browser sent, which ends each line with a carriage return and a line feed, with the line ends of the memory."""
    return content if "\r\n" in before.content else content.replace("\r\n", "\n")


@router.post("/pin")
def pin(
    visitor: Writer,
    store: StoreName,
    memory_id: MemoryId,
    version: Version = 1,
    wanted: Annotated[str, Form(pattern="^(yes|no)$")] = "yes",
) -> Response:
    """Pin a memory, so that no dream archives or merges it, or take the pin out."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    where = f"/console/t/{tenant_id}/stores/{store}/memories/{memory_id}"
    edit = MemoryEdit(pinned=wanted == "yes", actor=visitor.actor)
    expected = Expected(version=version)
    try:
        edit_memory(db, tenant_id, store, memory_id, edit, expected=expected, author=visitor.author)
    except PreconditionFailedError:
        return go(visitor, where, "It was changed meanwhile; look at it again, then decide", "refused")
    except ConflictError as error:
        return go(visitor, where, str(error), "refused")
    said = "Pinned: no dream archives it or merges it into another one" if edit.pinned else "The pin is out"
    return go(visitor, where, said)


@router.get("/redact")
def ask_to_redact(
    request: Request,
    visitor: AdminReader,
    store: StoreName,
    memory_id: MemoryId,
    version: Annotated[int, Query(ge=1, le=_HIGHEST)] = 1,
) -> Response:
    """Show what goes when the text of a version is removed, and what stays."""
    memory, found = get_versions(visitor.ports.db, visitor.tenant_id, store, memory_id, [version])
    if version not in found:
        raise NotFoundError
    is_current = memory.state is MemoryState.LIVE and memory.version == version
    return page(
        request, visitor, "memories/redact.html", store=store, memory=memory, old=found[version], is_current=is_current
    )


@router.post("/redact")
def redact(
    visitor: Administrator,
    store: StoreName,
    memory_id: MemoryId,
    version: Version = 1,
    sure: Annotated[str, Form(pattern="^(|yes)$")] = "",
) -> Response:
    """Remove the text of an old version for good, once the box was ticked."""
    db, tenant_id = visitor.ports.db, visitor.tenant_id
    where = f"/console/t/{tenant_id}/stores/{store}/memories/{memory_id}"
    get_memory(db, tenant_id, store, memory_id)
    if sure != "yes":
        return go(visitor, f"{where}/redact?version={version}", "Tick the box first: this cannot be undone", "refused")
    try:
        redact_version(db, tenant_id, get_store(db, tenant_id, store).id, memory_id, version, actor=visitor.actor)
    except (BadInputError, ConflictError) as error:
        return go(visitor, f"{where}/redact?version={version}", str(error), "refused")
    return go(visitor, where, f"The text of version {version} is removed for good")
