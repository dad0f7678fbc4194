"""Memories: documents of a store, and the signals that are stored beside them, never inside them."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache

from shared.core.memory.writers import UNKNOWN, Rank, Writers


class Maturity(StrEnum):
    """The maturity of a memory; a `core` memory is never pruned."""

    DRAFT = "draft"
    VALIDATED = "validated"
    CORE = "core"


class Tier(StrEnum):
    """The tier of a memory: working memories come and go, durable ones stay."""

    WORKING = "working"
    DURABLE = "durable"


class MemoryState(StrEnum):
    """The state of a memory. Agents read `live` memories only; every other state can be restored."""

    LIVE = "live"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    REMOVED = "removed"  # created by a dream that was undone


class Author(StrEnum):
    """The author of the current version."""

    USER = "user"
    AGENT = "agent"
    IMPORT = "import"
    DREAM = "dream"


class MemoryKind(StrEnum):
    """The kind of a memory by its path: knowledge, generated index, digest of another file, skill, file of a skill, log, file.

    Only the agent appends to a daily log, and dreams gather from it as from a session. A file, such as `config.json`, is
    found by searches and left alone by dreams.
    """

    TOPIC = "topic"
    INDEX = "index"
    DERIVED = "derived"
    SKILL = "skill"
    SKILL_FILE = "skill_file"
    LOG = "log"
    FILE = "file"


#: Kinds that are generated from other memories; a search finds those instead.
GENERATED = frozenset({MemoryKind.INDEX, MemoryKind.DERIVED})
#: The root index, which agents keep in context, and the summary of each domain.
ROOT_INDEX = "MEMORY.md"
#: The lines around the generated part of an index, which also has hand-written parts.
INDEX_BEGIN = "<!-- slowwave:index begin (generated: edits between these lines are overwritten) -->"
INDEX_END = "<!-- slowwave:index end -->"
DOMAIN_INDEX = "_index.md"
#: The last line of a block without room for every pointer, and the whole block where only one line is left.
MORE_LINE = f"- [All memories]({DOMAIN_INDEX})"
INDEX_LINE = f"{MORE_LINE} <!-- slowwave:index -->"
_DAILY_LOG = re.compile(r"logs/\d{4}/\d\d/\d{4}-\d\d-\d\d\.md")
_LOG_PATH = re.compile(r"(?:^|/)logs/|(?:^|/)\d{4}-\d\d-\d\d\.md$")
_DERIVED_ENDINGS = (".abstract.md", ".overview.md", ".stub.md", ".full.md")
#: `skills/<name>/SKILL.md` is a skill, and the other files in its folder belong to it; names may have a namespace.
SKILLS_FOLDER = "skills"
SKILL_NAME = "SKILL.md"
#: A name with any other ending is a file with arbitrary text: `config.json`, `run.sh`.
_TEXT_ENDINGS = frozenset({"md", "markdown", "txt", "text"})
_ENDING = re.compile(r"[A-Za-z0-9]{1,8}")
#: A markdown file with none of these is knowledge. Most are, and a dream asks for the kind of each several times.
_OTHER_STARTS = (f"{SKILLS_FOLDER}/", "_archived/", "logs/")
_OTHER_ENDS = (ROOT_INDEX, DOMAIN_INDEX, *_DERIVED_ENDINGS)
#: The domain of a memory at the top of its store.
ROOT_DOMAIN = ""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class Signals:
    """The signals of ranking and pruning. Importance is a number from 0 to 100, as ByteRover publishes it.

    Treat it as immutable. It is not frozen, because a dream creates one for each memory of a store, several times, and a
    frozen one takes six times as long to create. The same applies to a head.
    """

    importance: float = 50.0
    maturity: Maturity = Maturity.DRAFT
    tier: Tier = Tier.WORKING
    access_count: int = 0
    reinforcement_count: int = 0
    pinned: bool = False
    last_seen_at: datetime | None = None
    by_person: bool = False  # a person wrote one of its versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory with its whole text. `version` counts writes from 1; `touched_at` is the staleness clock."""

    id: str
    path: str
    content: str
    signals: Signals = field(default_factory=Signals)
    state: MemoryState = MemoryState.LIVE
    version: int = 1
    author: Author = Author.AGENT
    created_at: datetime
    updated_at: datetime
    touched_at: datetime
    superseded_by: str | None = None
    writers: Writers = UNKNOWN  # of its statements
    stub: str | None = None  # of an archived memory: a short cue that searches still find
    #: Whether a user, an agent or an import wrote it since a dream last read it.
    is_dirty: bool = True


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class MemoryHead:
    """A memory without its text, for surveys, indexes and lists of candidates."""

    id: str
    path: str
    title: str
    summary: str
    signals: Signals
    version: int
    author: Author
    doc_type: str  # the frontmatter's `type`, such as `synthesis`; empty when there is none
    category: str = ""  # the frontmatter's `category`, such as `daily_digest`
    size_chars: int
    updated_at: datetime
    touched_at: datetime
    is_dirty: bool
    expires: date | None = None  # the last day on which it holds
    trust: Rank = Rank.AGENT  # of its least trusted statement


def with_importance(head: MemoryHead, importance: float) -> MemoryHead:
    """Return a head with another importance; written out, because a dream does this for every memory of a store."""
    signals = head.signals
    if importance == signals.importance:
        return head
    return MemoryHead(
        id=head.id,
        path=head.path,
        title=head.title,
        summary=head.summary,
        signals=Signals(
            importance=importance,
            maturity=signals.maturity,
            tier=signals.tier,
            access_count=signals.access_count,
            reinforcement_count=signals.reinforcement_count,
            pinned=signals.pinned,
            last_seen_at=signals.last_seen_at,
            by_person=signals.by_person,
        ),
        version=head.version,
        author=head.author,
        doc_type=head.doc_type,
        category=head.category,
        size_chars=head.size_chars,
        updated_at=head.updated_at,
        touched_at=head.touched_at,
        is_dirty=head.is_dirty,
        expires=head.expires,
        trust=head.trust,
    )


def domain_of(path: str) -> str:
    """Return the first segment of a path, or `ROOT_DOMAIN` for a memory at the top."""
    first, slash, _ = path.partition("/")
    return first if slash else ROOT_DOMAIN


@lru_cache(maxsize=20_000)  # a dream asks this about eight times for each path
def kind_of(path: str) -> MemoryKind:
    """Return the kind of a memory by its path alone."""
    if path.endswith(".md") and not path.startswith(_OTHER_STARTS) and not path.endswith(_OTHER_ENDS):
        return MemoryKind.TOPIC
    name = path.rpartition("/")[2]
    if path.startswith(f"{SKILLS_FOLDER}/") and path.count("/") >= 2:
        return MemoryKind.SKILL if name == SKILL_NAME else MemoryKind.SKILL_FILE
    if path == ROOT_INDEX or name == DOMAIN_INDEX:
        return MemoryKind.INDEX
    if name.endswith(_DERIVED_ENDINGS) or path.startswith("_archived/"):
        return MemoryKind.DERIVED
    if _DAILY_LOG.fullmatch(path):
        return MemoryKind.LOG
    return MemoryKind.TOPIC if _is_text(name) else MemoryKind.FILE


def is_log(path: str) -> bool:
    """Tell whether a file grows day after day: it is in a folder of logs, or named after a day.

    A log at the standard path is a kind of its own. Other logs are ordinary knowledge, but are never retired by age alone.
    """
    return _LOG_PATH.search(path) is not None


def _is_text(name: str) -> bool:
    """Tell whether a file has text for people, by the ending of its name; a name without an ending counts."""
    _, dot, ending = name.rpartition(".")
    return not dot or ending.lower() in _TEXT_ENDINGS or _ENDING.fullmatch(ending) is None


def is_ordinary_domain(domain: str) -> bool:
    """Tell whether a domain holds knowledge: directories that begin with `_` or `.` and the root do not count."""
    return bool(domain) and domain[0] not in "_."


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """One file to write; `updated_at` becomes its modification time. `writers` are those of a memory's statements."""

    path: str
    content: str
    updated_at: datetime | None = None
    writers: Writers | None = None
