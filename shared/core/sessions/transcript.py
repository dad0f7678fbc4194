"""The items that a transcript reader yields: events, skipped lines and malformed lines, with texts and times cleaned."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from shared.core.sessions.model import SPOKEN, EventKind, Origin
from shared.core.tenants.labels import check_labels

#: What people typed is kept whole up to here: it is what dreams live on, and a pasted megabyte is not typed.
MAX_SPOKEN_CHARS = 200_000
#: An agent's own words; longer ones are generated documents.
MAX_SAID_CHARS = 20_000
#: Tool results, tool calls, meta lines: most of a transcript's bytes, next to none of its knowledge.
MAX_OTHER_CHARS = 2_000
#: Stands for bytes that are no UTF-8, and for half surrogate pairs.
REPLACEMENT = "\ufffd"
_SAID = frozenset({EventKind.ASSISTANT, EventKind.CONTINUED, EventKind.SUMMARY})
_EARLIEST, _LATEST = datetime(1990, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: A greater number of seconds lies beyond the year 2100, so it counts milliseconds.
_MOST_SECONDS = 4_200_000_000
_MAX_ID_CHARS = 200
#: No key is longer, but for blocks and for tokens without end, which nothing but what follows them ends.
_KEY_REACH = 1_600
_KEY_BLOCK = "PRIVATE KEY"
_KEY_END = re.compile(r"[\s\"'`,;<>()\[\]{}]")
#: What the blocks of a message call a text: Anthropic's, and OpenAI's of what a model gets and gives.
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEvent:
    """One event of a transcript. `line` counts from 1; `session` is the source's id of the conversation."""

    line: int
    session: str
    event_id: str
    kind: EventKind
    role: str
    text: str
    at: datetime | None = None
    details: Mapping[str, object] | None = None  # what it says beside its text; strings in it are masked like the text
    origin: Origin | None = None  # where the source knows who wrote it; None: its text has to tell


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedLine:
    """A well-formed line without an event. `title` is its title for the session, if it has one; `labels` are its labels.

    `session` is the session that it belongs to where that is not the one of the event before it.
    """

    line: int
    what: str
    title: str = ""
    session: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MalformedLine:
    """A line that cannot be read."""

    line: int
    reason: str


Item = FoundEvent | SkippedLine | MalformedLine


def clean_text(text: str) -> str:
    """Return a text that PostgreSQL can store: NUL is removed, half surrogate pairs become replacement characters."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_id(raw: str) -> str:
    """Return a source's id as it is stored: at most 200 characters."""
    return clean_text(raw)[:_MAX_ID_CHARS]


def keep_labels(labels: Mapping[str, str], mask: Callable[[str], str] | None) -> dict[str, str]:
    """Return labels as they are stored, with secrets masked. Raises BadInputError if they are too many or too long."""
    cleaned = {clean_text(key): clean_text(value) for key, value in labels.items()}
    return check_labels({key: mask(value) if mask else value for key, value in cleaned.items()})


def max_chars(kind: EventKind) -> int:
    """Return how many characters of an event's text are kept."""
    if kind in SPOKEN:
        return MAX_SPOKEN_CHARS
    return MAX_SAID_CHARS if kind in _SAID else MAX_OTHER_CHARS


def cut_text(text: str, kind: EventKind) -> str:
    """Return the text, or its beginning and end around a line that says how much is missing."""
    limit = max_chars(kind)
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters left out …]\n{text[-half:]}"


def keep_text(text: str, kind: EventKind, mask: Callable[[str], str] | None) -> tuple[str, bool]:
    """Return what is stored of an event's text, and whether anything was masked in it.

    Masking comes before cutting, which could leave half a key. Of the removed text only as much around the cuts is searched as
    is needed to see a key that spans a cut.
    """
    text = clean_text(text)
    if mask is None or _is_clean(text, max_chars(kind) // 2, mask):
        return cut_text(text, kind), False
    masked = mask(text)
    return cut_text(masked, kind), masked is not text


def _is_clean(text: str, half: int, mask: Callable[[str], str]) -> bool:
    """Tell whether a long text has no key in or near what is kept of it, its two ends of `half` characters."""
    left, right = half + _KEY_REACH, len(text) - half - _KEY_REACH
    if left >= right or not _can_split(text, right):
        return False
    head, tail = text[:left], text[right:]
    return mask(head) is head and mask(tail) is tail


def _can_split(text: str, place: int) -> bool:
    """Tell whether no key reaches from before a place to beyond the reach of a later one, as a block or token might."""
    return _KEY_BLOCK not in text and _KEY_END.search(text, place, place + _KEY_REACH) is not None


def parse_moment(raw: object) -> datetime | None:
    """Parse an ISO 8601 time or a number of (milli)seconds to UTC; None if it is invalid or outside 1990 to 2100.

    A time without a zone counts as UTC.
    """
    try:
        if isinstance(raw, str):
            moment = datetime.fromisoformat(raw[:40])
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        elif isinstance(raw, int | float) and not isinstance(raw, bool):
            moment = _EPOCH + timedelta(seconds=raw / 1000 if raw > _MOST_SECONDS else raw)
        else:
            return None
    except (ValueError, OverflowError):
        return None
    return moment if _EARLIEST <= moment < _LATEST else None


def texts_of(content: object) -> list[str]:
    """Return the texts of a message's content: a string, or a list of strings and blocks of which some are texts."""
    if isinstance(content, str):
        return [content]
    return [text for block in (content if isinstance(content, list) else []) if (text := _text_of(block)) is not None]


def _text_of(block: object) -> str | None:
    if not isinstance(block, dict):
        return block if isinstance(block, str) else None
    what, text = block.get("type", "text"), block.get("text")
    text = text.get("value") if isinstance(text, dict) else text
    return text if isinstance(what, str) and what in _TEXT_BLOCKS and isinstance(text, str) else None
