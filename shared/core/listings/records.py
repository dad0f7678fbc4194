"""Records of stores, sessions, memories and versions, as the API lists them."""

from dataclasses import dataclass, field
from datetime import datetime

from shared.core.errors import BadInputError
from shared.core.memory.model import MemoryState
from shared.core.sessions.model import Session
from shared.core.tenants.labels import check_labels

MAX_TITLE_CHARS = 255
MAX_DESCRIPTION_CHARS = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreRecord:
    """A described store: `title` need not be unique; `name` is the name for the command line and the native API."""

    id: str
    name: str
    title: str = ""
    description: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    created_at: datetime
    described_at: datetime
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session with its store and its host's details (agent, environment, metadata, resources)."""

    session: Session
    store_id: str
    store: str
    details: dict[str, object]
    changed_at: datetime
    archived_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """A live memory, with its text only if requested."""

    id: str
    path: str
    version: int
    content: str | None
    content_sha256: str
    size_bytes: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRecord:
    """One version of a memory, with its text only if requested."""

    memory_id: str
    version: int
    path: str
    content: str | None
    content_sha256: str
    size_bytes: int
    state: MemoryState
    change: str
    dream_id: str | None
    actor: str
    created_at: datetime
    redacted_at: datetime | None
    redacted_by: str

    @property
    def operation(self) -> str:
        """Return the version's effect on its memory: created, modified or deleted."""
        if self.state is not MemoryState.LIVE:
            return "deleted"
        return "created" if self.version == 1 else "modified"


def check_record(record: StoreRecord) -> StoreRecord:
    """Return a store's record, or raise BadInputError with the reason."""
    if not 1 <= len(record.title) <= MAX_TITLE_CHARS or _has_control(record.title):
        raise BadInputError(f"name has 1 to {MAX_TITLE_CHARS} characters, none of them a control character")
    if len(record.description) > MAX_DESCRIPTION_CHARS or "\x00" in record.description:
        raise BadInputError(f"description has at most {MAX_DESCRIPTION_CHARS:,} characters, none of them NUL")
    check_labels(record.labels)
    return record


def _has_control(text: str) -> bool:
    return any(ord(sign) < 32 or 127 <= ord(sign) < 160 for sign in text)
