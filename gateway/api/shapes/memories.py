"""Define the JSON shapes of memories, their versions, their provenance, and search results."""

from collections.abc import Sequence
from datetime import date, datetime

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from gateway.api.shapes.dreams import OperationOut, operation_out
from gateway.api.shapes.writers import Day, Instruction, ShareOut, Trust, WriterOut, shares_out, writer_out
from shared.core.memory.expiry import Never, read_expiry
from shared.core.memory.model import Author, Maturity, Memory, MemoryHead, MemoryState, Tier
from shared.core.policy.masked import name_masked
from shared.core.text.duplicates import content_hash
from shared.ports.memories import MemoryVersion
from shared.ports.stores import DeadLink
from shared.services.memories.history import HistoryEntry, MemoryHistory
from shared.services.memories.links import Neighbours
from shared.services.memories.read import Hit
from shared.services.memories.search import SearchResult

MAX_CONTENT_CHARS = 1_000_000
_EXAMPLE: JsonDict = {"path": "api/auth.md", "content": "# Auth\n\nTokens are signed with Ed25519.\n"}


class MemoryIn(BaseModel):
    """A new memory."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": _EXAMPLE})

    path: str = Field(
        min_length=1, max_length=1_024, description="A relative markdown path; with `any_ending` also another file's."
    )
    content: str = Field(
        max_length=MAX_CONTENT_CHARS,
        description="Stored byte for byte, except for what the store masks: secrets, and personal data if it is told to.",
    )
    importance: float | None = Field(None, ge=0, le=100)
    pinned: bool | None = None
    tier: Tier = Field(Tier.WORKING, description="How long the memory should last.")
    access_count: int = Field(0, ge=0, le=2**31 - 1, description="How often another system has read it.")
    reinforcement_count: int = Field(0, ge=0, le=2**31 - 1, description="How often it was repeated.")
    first_seen_at: AwareDatetime | None = Field(None, description="When it was first seen; default: now.")
    last_seen_at: AwareDatetime | None = Field(None, description="When it was last seen.")
    any_ending: bool = Field(
        False, description="Whether `path` may end otherwise than in `.md`, as files of Anthropic's memory tool do."
    )
    expires: date | None = Field(None, description="The last day on which it holds; written into its frontmatter.")


class MemoryPatch(BaseModel):
    """Changes to a memory; omitted fields stay."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"example": {"content": "# Auth\n\nSigned, 1 h.\n"}})

    content: str | None = Field(None, max_length=MAX_CONTENT_CHARS)
    path: str | None = Field(None, min_length=1, max_length=1_024)
    importance: float | None = Field(None, ge=0, le=100, description="The maturity rises and falls with it.")
    pinned: bool | None = None
    expires: date | Never | None = Field(
        None, description="The last day on which it holds, or `never`; written into its frontmatter."
    )
    content_sha256: str | None = Field(
        None, pattern="^[0-9a-f]{64}$", description="Precondition: the SHA-256 of the current content."
    )
    any_ending: bool = Field(
        False, description="Whether `path` may end otherwise than in `.md`, as files of Anthropic's memory tool do."
    )


class MemoryLine(BaseModel):
    """A memory without its text."""

    id: str
    path: str
    title: str
    summary: str
    importance: float
    maturity: Maturity
    tier: Tier
    pinned: bool
    access_count: int
    version: int
    author: Author
    size_chars: int
    updated_at: datetime
    expires: date | None
    changed: bool = Field(description="Whether it was written after a dream last processed it.")


class MemoryText(BaseModel):
    """A memory with its text and the trust in it."""

    id: str
    path: str
    content: str
    content_sha256: str
    state: MemoryState
    version: int
    author: Author
    trust: Trust
    importance: float
    maturity: Maturity
    tier: Tier
    pinned: bool
    access_count: int
    created_at: datetime
    updated_at: datetime
    expires: date | None
    superseded_by: str | None
    stub: str | None
    masked: list[str] = Field(
        default=[], description="The kinds of secrets and personal data that were masked in the text of this request."
    )


class MemoryOut(MemoryText):
    """A memory with its text and its writers."""

    writers: list[WriterOut] = Field(description="Those of its statements; `why` names the statements of each.")


class VersionOut(BaseModel):
    """A memory after one write."""

    version: int
    path: str
    content: str
    state: MemoryState
    author: Author
    change: str
    dream_id: str | None
    operation_id: str | None
    created_at: datetime
    redacted_at: datetime | None = Field(description="When path and text were removed for good.")


class ReasonOut(BaseModel):
    """One version, and the operation that wrote it if a dream did."""

    version: int
    change: str
    author: Author
    created_at: datetime
    dream_id: str | None
    operation: OperationOut | None


class WhyOut(BaseModel):
    """The provenance of a memory."""

    memory: MemoryOut
    came_from: list[str] = Field(description="Paths of the memories that were merged into it.")
    said_by: list[ShareOut] = Field(description="Who wrote which of its current statements and headings.")
    more_statements: int = Field(description="Number of statements that `said_by` leaves out.")
    reasons: list[ReasonOut] = Field(description="Newest first.")
    next_cursor: str | None = Field(None, description="Pass it as `cursor` for older reasons; null on the last page.")


class HitOut(BaseModel):
    """A memory in a search result."""

    id: str
    path: str
    title: str
    excerpt: str
    score: float
    archived: bool
    trust: Trust
    instruction: Instruction
    day: Day


def memory_out(memory: Memory, given: str = "") -> MemoryOut:
    """Return a memory as JSON; with `given`, the text of a request, also what was masked in it."""
    writers = [writer_out(one) for one in memory.writers.by]
    return MemoryOut(**dict(memory_text(memory, given)), writers=writers)


def memory_text(memory: Memory, given: str = "") -> MemoryText:
    """Return a memory as JSON without its writers."""
    signals = memory.signals
    return MemoryText(
        id=memory.id,
        path=memory.path,
        content=memory.content,
        content_sha256=content_hash(memory.content),
        state=memory.state,
        version=memory.version,
        author=memory.author,
        trust=memory.writers.lowest.rank.word,
        importance=signals.importance,
        maturity=signals.maturity,
        tier=signals.tier,
        pinned=signals.pinned,
        access_count=signals.access_count,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        expires=read_expiry(memory.content),
        superseded_by=memory.superseded_by,
        stub=memory.stub,
        masked=name_masked(given, memory.content),
    )


def memory_line(head: MemoryHead) -> MemoryLine:
    """Return a memory without its text as JSON."""
    signals = head.signals
    return MemoryLine(
        id=head.id,
        path=head.path,
        title=head.title,
        summary=head.summary,
        importance=signals.importance,
        maturity=signals.maturity,
        tier=signals.tier,
        pinned=signals.pinned,
        access_count=signals.access_count,
        version=head.version,
        author=head.author,
        size_chars=head.size_chars,
        updated_at=head.updated_at,
        expires=head.expires,
        changed=head.is_dirty,
    )


def version_out(version: MemoryVersion) -> VersionOut:
    """Return a version as JSON."""
    return VersionOut(**{name: getattr(version, name) for name in VersionOut.model_fields})


def why_out(history: MemoryHistory, shown: Sequence[HistoryEntry], following: str | None) -> WhyOut:
    """Return a memory's provenance as JSON, with one page of reasons and the next cursor."""
    reasons = [
        ReasonOut(
            version=entry.version.version,
            change=entry.version.change,
            author=entry.version.author,
            created_at=entry.version.created_at,
            dream_id=entry.version.dream_id,
            operation=operation_out(entry.operation) if entry.operation else None,
        )
        for entry in shown
    ]
    said_by, left_out = shares_out(history.shares)
    return WhyOut(
        memory=memory_out(history.memory),
        came_from=[path for _, path in history.sources],
        said_by=said_by,
        more_statements=left_out,
        reasons=reasons,
        next_cursor=following,
    )


def hit_out(hit: Hit) -> HitOut:
    """Return a hit as JSON."""
    return HitOut(
        id=hit.id,
        path=hit.path,
        title=hit.title,
        excerpt=hit.excerpt,
        score=hit.score,
        archived=hit.is_archived,
        trust=hit.trust,
        instruction=hit.is_order,
        day=hit.day,
    )


class EventHitOut(BaseModel):
    """An event of a session in a search result."""

    session_id: str
    event_id: str
    position: int
    at: datetime | None
    role: str
    excerpt: str


class MemoryHitOut(BaseModel):
    """A memory in a result of a search over memories and sessions."""

    id: str
    path: str
    title: str
    excerpt: str
    archived: bool
    trust: Trust
    instruction: Instruction
    day: Day


class SearchResultOut(BaseModel):
    """A result of a search over memories and sessions: an event with the memories gathered from it, or only a memory."""

    score: float = Field(description="Between 0 and 1.")
    said: EventHitOut | None
    memories: list[MemoryHitOut]


def search_result_out(found: SearchResult) -> SearchResultOut:
    """Return a result of a search over memories and sessions as JSON."""
    said = found.said
    memories = [
        MemoryHitOut(
            id=one.id,
            path=one.path,
            title=one.title,
            excerpt=one.excerpt,
            archived=one.is_archived,
            trust=one.trust,
            instruction=one.is_order,
            day=one.day,
        )
        for one in found.memories
    ]
    if said is None:
        return SearchResultOut(score=found.score, said=None, memories=memories)
    shown = EventHitOut(
        session_id=said.session_id,
        event_id=said.event_id,
        position=said.position,
        at=said.at,
        role=said.role,
        excerpt=said.excerpt,
    )
    return SearchResultOut(score=found.score, said=shown, memories=memories)


class WrittenLinkOut(BaseModel):
    """A link in a memory's text. If it is dead (no live memory has its target), `path` and `id` are null."""

    target: str = Field(description="The target as written in the text.", examples=["../ops/rota.md"])
    path: str | None
    id: str | None


class LinkingMemoryOut(BaseModel):
    """A memory whose text links to another one."""

    id: str
    path: str
    title: str


class LinksOut(BaseModel):
    """The links in a memory, and a page of the memories that link to it."""

    id: str
    path: str
    links: list[WrittenLinkOut] = Field(description="At most 200, in the order of the text; `related` ones come first.")
    more_links: int = Field(description="Number of links in its text that are not listed.")
    linked_from: list[LinkingMemoryOut] = Field(description="Live memories that link to it, ordered by id.")
    next_cursor: str | None = Field(None, description="Pass it as `cursor` for more of them; null on the last page.")


class DeadLinkOut(BaseModel):
    """A link in a live memory whose target is no live memory."""

    id: str = Field(description="The memory that contains the link.")
    path: str
    title: str
    target: str = Field(description="The target as written in the text.", examples=["ops/rota.md"])


def dead_link_out(link: DeadLink) -> DeadLinkOut:
    """Return a dead link as JSON."""
    return DeadLinkOut(id=link.at.memory_id, path=link.path, title=link.title, target=link.target)


def links_out(found: Neighbours, following: str | None) -> LinksOut:
    """Return the links of a memory as JSON, with the next cursor."""
    return LinksOut(
        id=found.memory.id,
        path=found.memory.path,
        links=[WrittenLinkOut(target=one.target, path=one.path, id=one.memory_id) for one in found.links],
        more_links=found.left_out,
        linked_from=[LinkingMemoryOut(id=one.id, path=one.path, title=one.title) for one in found.linked_from],
        next_cursor=following,
    )
