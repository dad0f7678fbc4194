"""List, read and write a store's skills with their files, and record their use."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.http.auth import Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import (
    MAX_PAGE_BYTES,
    Cursor,
    Limit,
    Page,
    decode_cursor,
    encode_cursor,
    find_within,
)
from gateway.api.http.parameters import SkillName, StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.memories import MAX_CONTENT_CHARS
from gateway.api.shapes.sizes import json_size
from shared.core.learning.skills import MAX_NAME_CHARS, check_skill_name, folder_of, skill_path
from shared.core.memory.writers import Through
from shared.ports.database import Database
from shared.services.memories.skills import (
    SkillText,
    SkillView,
    find_files_beside,
    find_skills,
    get_skill_now,
    record_skill_use,
)
from shared.services.memories.write import NewText, write_memories

_TEXT = "---\nname: summarize-mail\ndescription: Summarise a mailbox.\n---\n\n1. List what is new.\n"
_EXAMPLE: JsonDict = {"content": _TEXT, "files": [{"path": "examples.md", "content": "# Examples\n"}]}
MAX_FILES = 100
Content = Annotated[
    str, Field(max_length=MAX_CONTENT_CHARS, description="Stored byte for byte, except for what the store masks.")
]


class SkillFile(BaseModel):
    """An additional file of a skill."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1, max_length=1_024, description="Relative to the skill's folder.")
    content: Content


class SkillIn(BaseModel):
    """A skill's text and additional files; files not named here stay as they are."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _EXAMPLE})

    content: Content = Field(min_length=1, description="The text of its `SKILL.md`, with frontmatter.")
    files: list[SkillFile] = Field(default_factory=list, max_length=MAX_FILES)


class SkillUseIn(BaseModel):
    """One use of a skill by a session."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"example": {"skill": "summarize-mail", "session": "chat-42"}}
    )

    skill: str = Field(min_length=1, max_length=MAX_NAME_CHARS, pattern=r"^[^\x00]+$")
    session: str = Field(pattern=r"^[\x21-\x7e]{1,200}$", description="The host's id of the session.")
    at: AwareDatetime | None = Field(None, description="When it happened; default: now.")


class SkillUseOut(BaseModel):
    """A recorded use; a repeated one counts once."""

    skill: str
    session: str
    used_at: datetime


class SkillOut(BaseModel):
    """A skill without its text."""

    name: str
    summary: str
    size_chars: int
    uses: int = Field(description="Number of uses in the last 30 days.")
    created_at: datetime
    last_used_at: datetime | None
    see_also: list[str]
    sparse: bool = Field(description="Whether it is older than a week and still almost empty.")


class SkillDetail(SkillOut):
    """A skill with its text and further files, as it is exported."""

    memory_id: str = Field(description="The memory of the skill, which has its history.")
    version: int
    content: str = Field(description="Its text; empty on later pages of files.")
    files: list[SkillFile] = Field(description="Its additional files by path; a page of long texts ends early.")
    next_cursor: str | None = Field(None, description="Pass it as `cursor` for more files; null on the last page.")
    masked: list[str] = Field(default=[], description="The kinds of what was masked in the texts of this request.")


def new_texts(name: str, body: SkillIn, *, may_instruct: bool) -> list[NewText]:
    """Return the texts of a skill: `SKILL.md` and its further files."""
    beside = [
        NewText(path=folder_of(name) + file.path, content=file.content, may_instruct=may_instruct, through=Through.API)
        for file in body.files
    ]
    return [NewText(path=skill_path(name), content=body.content, through=Through.API), *beside]


def skill_out(view: SkillView) -> SkillOut:
    """Return a skill without its text as JSON."""
    return SkillOut(**_plain(view))


def get_detail(db: Database, tenant_id: str, store: str, name: str, cursor: str | None) -> SkillDetail:
    """Return a skill with its text and a page of its files as JSON. Raises NotFoundError."""
    memory, view = get_skill_now(db, tenant_id, store, name)
    content, folder, start_after = "" if cursor else memory.content, folder_of(view.name), decode_cursor(cursor)
    files, following = _page_of_files(
        db, tenant_id, store, view, start_after or folder, MAX_PAGE_BYTES - json_size(content)
    )
    shown = [SkillFile(path=one.path.removeprefix(folder), content=one.content or "") for one in files]
    return SkillDetail(
        **_plain(view),
        memory_id=memory.id,
        version=memory.version,
        content=content,
        files=shown,
        next_cursor=encode_cursor(following) if following else None,
    )


def _page_of_files(
    db: Database, tenant_id: str, store: str, view: SkillView, start_after: str, most_bytes: int
) -> tuple[list[SkillText], str | None]:
    """Return the files after a path, as far as they fit, and the path after which the next page begins."""

    def find(path: str | None, wanted: int) -> list[SkillText]:
        paths = sorted(one for one in view.files if one > (path or ""))[:wanted]
        return find_files_beside(db, tenant_id, store, paths)

    if most_bytes <= 0:
        return [], start_after if view.files else None
    shown, is_more = find_within(
        find,
        start_after,
        MAX_FILES,
        size_of=lambda one: json_size(one.content),
        place=lambda one: one.path,
        most_bytes=most_bytes,
    )
    return [one for one in shown if one.content is not None], shown[-1].path if is_more else None


def _plain(view: SkillView) -> dict[str, object]:
    names = ("name", "summary", "size_chars", "uses", "created_at", "last_used_at", "see_also")
    return {name: getattr(view, name) for name in names} | {"sparse": view.is_sparse}


router = APIRouter(prefix="/api/stores/{store}", tags=["skills"], route_class=OneThreadRoute)


@router.get("/skills", responses=answers(), summary="List skills")
def list_all(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[SkillOut]:
    """List skills by name, with their uses in the last 30 days. A page of long texts ends before `limit`."""

    def find(after: str | None, wanted: int) -> list[SkillView]:
        return find_skills(caller.db, caller.tenant_id, store, after=after or "", limit=wanted)

    shown, is_more = find_within(
        find, decode_cursor(cursor), limit, size_of=lambda one: one.size_chars, place=lambda one: one.name
    )
    following = encode_cursor(shown[-1].name) if is_more else None
    return Page(data=[skill_out(one) for one in shown], next_cursor=following)


@router.get("/skills/{skill:path}", responses=answers(), summary="Read a skill")
def get(store: StoreName, skill: SkillName, caller: Reader, cursor: Cursor = None) -> SkillDetail:
    """Return a skill's text and additional files, at most 100 files per page."""
    return get_detail(caller.db, caller.tenant_id, store, skill, cursor)


@router.put("/skills/{skill:path}", responses=answers(409), summary="Write a skill")
def put(store: StoreName, skill: SkillName, body: SkillIn, caller: Writer) -> SkillDetail:
    """Create or change a skill. Each changed text becomes a new version."""
    ports = caller.ports
    texts = new_texts(check_skill_name(skill), body, may_instruct=caller.may_instruct)
    done = write_memories(ports.db, ports.ids, caller.tenant_id, store, texts, caller.author, actor=caller.actor)
    return get_detail(ports.db, caller.tenant_id, store, skill, None).model_copy(
        update={"masked": list(done.masked_kinds)}
    )


@router.post("/skill-uses", status_code=201, response_model=SkillUseOut, responses=answers(409), summary="Record a use")
def record_use(store: StoreName, body: SkillUseIn, caller: Writer, once: Idempotent) -> Response:
    """Record that a session used a skill; dreams use these records."""

    def produce() -> SkillUseOut:
        use = record_skill_use(
            caller.ports.db, caller.tenant_id, store, body.skill, body.session, body.at, actor=caller.actor
        )
        return SkillUseOut(skill=use.skill, session=use.session, used_at=use.used_at)

    return once.answer(caller, 201, produce)
