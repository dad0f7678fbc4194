"""List, read and write a store's skills with their files, and record their use."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.http.auth import Reader, Writer
from gateway.api.http.idempotency import Idempotent
from gateway.api.http.paging import Cursor, Limit, Page, decode_cursor, page_of
from gateway.api.http.parameters import SkillName, StoreName
from gateway.api.http.problems import answers
from gateway.api.http.threaded_route import OneThreadRoute
from gateway.api.shapes.memories import MAX_CONTENT_CHARS
from shared.core.learning.skills import MAX_NAME_CHARS, check_skill_name, folder_of, skill_path
from shared.core.memory.model import Memory
from shared.services.memories.skills import SkillView, find_skills, get_skill_texts, record_skill_use
from shared.services.memories.write import NewText, write_memories

_TEXT = "---\nname: summarize-mail\ndescription: Summarise a mailbox.\n---\n\n1. List what is new.\n"
_EXAMPLE: JsonDict = {"content": _TEXT, "files": [{"path": "examples.md", "content": "# Examples\n"}]}
MAX_FILES = 100
Content = Annotated[str, Field(max_length=MAX_CONTENT_CHARS, description="Stored byte for byte.")]


class SkillFile(BaseModel):
    """A further file of a skill."""

    model_config = ConfigDict(extra="forbid")

    path: str = Field(min_length=1, max_length=512, description="Relative to the skill's folder.")
    content: Content


class SkillIn(BaseModel):
    """A skill's text and further files; files that are not named here stay as they are."""

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
    at: AwareDatetime | None = Field(None, description="When it happened; now if left out.")


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
    sparse: bool = Field(description="It is older than a week and still almost empty.")


class SkillDetail(SkillOut):
    """A skill with its text and further files, as it is exported."""

    memory_id: str = Field(description="The memory that holds the skill; its history is found there.")
    version: int
    content: str
    files: list[SkillFile]


def new_texts(name: str, body: SkillIn) -> list[NewText]:
    """Return the texts of a skill: `SKILL.md` and its further files."""
    beside = [NewText(path=folder_of(name) + file.path, content=file.content) for file in body.files]
    return [NewText(path=skill_path(name), content=body.content), *beside]


def skill_out(view: SkillView) -> SkillOut:
    """Return a skill without its text as JSON."""
    return SkillOut(**_plain(view))


def skill_detail(memory: Memory, view: SkillView, files: Sequence[Memory]) -> SkillDetail:
    """Return a skill with its text as JSON."""
    folder = folder_of(view.name)
    shown = [SkillFile(path=file.path.removeprefix(folder), content=file.content) for file in files]
    return SkillDetail(**_plain(view), memory_id=memory.id, version=memory.version, content=memory.content, files=shown)


def _plain(view: SkillView) -> dict[str, object]:
    names = ("name", "summary", "size_chars", "uses", "created_at", "last_used_at", "see_also")
    return {name: getattr(view, name) for name in names} | {"sparse": view.is_sparse}


router = APIRouter(prefix="/api/stores/{store}", tags=["skills"], route_class=OneThreadRoute)


@router.get("/skills", responses=answers(), summary="List skills")
def list_all(store: StoreName, caller: Reader, limit: Limit = 50, cursor: Cursor = None) -> Page[SkillOut]:
    """List skills by name, with their uses in the last 30 days."""
    after = decode_cursor(cursor) or ""
    found = find_skills(caller.ports.db, caller.tenant_id, store, after=after, limit=limit + 1)
    shown, following = page_of(found, limit, lambda one: one.name)
    return Page(data=[skill_out(one) for one in shown], next_cursor=following)


@router.get("/skills/{skill:path}", responses=answers(), summary="Read a skill")
def get(store: StoreName, skill: SkillName, caller: Reader) -> SkillDetail:
    """Return a skill's text and further files."""
    return skill_detail(*get_skill_texts(caller.ports.db, caller.tenant_id, store, skill))


@router.put("/skills/{skill:path}", responses=answers(409), summary="Write a skill")
def put(store: StoreName, skill: SkillName, body: SkillIn, caller: Writer) -> SkillDetail:
    """Create or change a skill. Each changed text becomes a new version; an unchanged one does not."""
    ports = caller.ports
    texts = new_texts(check_skill_name(skill), body)
    write_memories(ports.db, ports.ids, caller.tenant_id, store, texts, caller.author, actor=caller.actor)
    return skill_detail(*get_skill_texts(ports.db, caller.tenant_id, store, skill))


@router.post("/skill-uses", status_code=201, response_model=SkillUseOut, responses=answers(409), summary="Record a use")
def record_use(store: StoreName, body: SkillUseIn, caller: Writer, once: Idempotent) -> Response:
    """Record that a session used a skill, which dreams take into account."""

    def produce() -> SkillUseOut:
        use = record_skill_use(
            caller.ports.db, caller.tenant_id, store, body.skill, body.session, body.at, actor=caller.actor
        )
        return SkillUseOut(skill=use.skill, session=use.session, used_at=use.used_at)

    return once.answer(caller, 201, produce)
