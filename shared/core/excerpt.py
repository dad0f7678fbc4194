"""A bounded piece of a transcript around something worth reading: all that a model ever sees of a session."""

import re
from dataclasses import dataclass
from datetime import datetime

_ELLIPSIS = " […] "
_MIN_QUOTE_CHARS = 8
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcerptLine:
    """One event of a session as it is shown. `position` counts the session's events from 1."""

    position: int
    event_id: str
    role: str  # user | assistant | log
    at: datetime
    text: str
    is_hit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Neighbouring events of one session with at least one hit among them; `reasons` say what was found where."""

    session_id: str
    lines: tuple[ExcerptLine, ...]
    reasons: tuple[str, ...]

    @property
    def path(self) -> str:
        """Return the id by which an answer names this excerpt."""
        return f"{self.session_id}#{self.lines[0].position}-{self.lines[-1].position}"


def render_excerpt(excerpt: Excerpt) -> str:
    """Return the text of an excerpt: a head for each event, a star at the hits, further lines indented."""
    return "\n".join(_render_line(line) for line in excerpt.lines)


def _render_line(line: ExcerptLine) -> str:
    star = "*" if line.is_hit else ""
    text = line.text.replace("\n", "\n  ")
    return f"[{line.position}]{star} {line.role} {line.at.strftime('%Y-%m-%dT%H:%M')}: {text}"


def cut_around(text: str, start: int, end: int, limit_chars: int) -> str:
    """Return at most about `limit_chars` of a text around the characters from `start` to `end`."""
    if len(text) <= limit_chars:
        return text
    spare = max(0, limit_chars - (end - start)) // 2
    first, last = max(0, start - spare), min(len(text), max(end, start + 1) + spare)
    head = _ELLIPSIS.lstrip() if first else ""
    tail = _ELLIPSIS.rstrip() if last < len(text) else ""
    return f"{head}{text[first : min(last, first + limit_chars)]}{tail}"


def find_quoted(excerpt: Excerpt, quote: str) -> ExcerptLine | None:
    """Return the line that holds a quote, hits first; case and white space may differ, words may not."""
    wanted = _flat(quote)
    if len(wanted) < _MIN_QUOTE_CHARS:
        return None
    holding = [line for line in excerpt.lines if wanted in _flat(line.text)]
    return next((line for line in holding if line.is_hit), holding[0] if holding else None)


def _flat(text: str) -> str:
    return _SPACE.sub(" ", text).strip().casefold()
