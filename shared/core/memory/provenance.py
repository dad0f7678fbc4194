"""The sources of a memory: the events of sessions that said it, with quotes. They are stored in the frontmatter."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.core.memory.frontmatter import read_fields, strings_of

#: The field of a memory's frontmatter that lists its sources, the oldest first.
FIELD = "gathered_from"
MAX_SOURCES = 50
_MAX_QUOTE_CHARS = 160
_LISTED = re.compile(rf"\n{FIELD}:[^\n]*+\n(?:(?:[ \t]|- )[^\n]*+\n)*+")
#: The ids, separated by the last `#` with text on both sides, then the day, the name of a speaker and the words.
_ENTRY = re.compile(r"(\S++) (\d{4}-\d{2}-\d{2})(?: \(([^()\n]{1,60})\))?(?:: (.*))?", re.DOTALL)
#: By place, each text that names it as a source, with the words that it quotes.
Quoted = Mapping[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One place in a session: its id, the event's id there, the day (ISO date), the words, and who spoke, if that is known."""

    session_id: str
    event_id: str
    day: str
    quote: str
    speaker: str = ""

    @property
    def place(self) -> str:
        """Return the session and the event, in the form that precedes the day."""
        return place_of(self.session_id, self.event_id)


def place_of(session_id: str, event_id: str) -> str:
    """Return the name of an event in sources and refused statements: `SESSION#EVENT`."""
    return f"{session_id}#{event_id}"


def format_source(source: Source) -> str:
    """Return a source as one line of frontmatter."""
    name = f" ({source.speaker})" if source.speaker else ""
    return f"{source.place} {source.day}{name}: {_shorten(source.quote)}"


def _shorten(quote: str) -> str:
    quote = " ".join(quote.split())
    return quote if len(quote) <= _MAX_QUOTE_CHARS else f"{quote[: _MAX_QUOTE_CHARS - 1]}…"


def read_sources(content: str) -> tuple[Source, ...]:
    """Return the sources that a memory names; entries of another shape are left out."""
    return tuple(filter(None, map(_read_source, strings_of(read_fields(content).get(FIELD)))))


def _read_source(entry: str) -> Source | None:
    found = _ENTRY.fullmatch(entry)
    middle = found[1].rfind("#", 1, -1) if found else -1
    if found is None or middle < 0:
        return None
    return Source(
        session_id=found[1][:middle],
        event_id=found[1][middle + 1 :],
        day=found[2],
        quote=found[4] or "",
        speaker=found[3] or "",
    )


def find_quoted(texts: Iterable[tuple[str, str]], places: Collection[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return which texts name these places as sources, and with which words.

    Args:
        texts: what each is called, and its content.
        places: the places, as `place_of` names them.
    """
    sessions = {place.partition("#")[0] for place in places}
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, content in texts:
        for source in read_sources(content) if any(session in content for session in sessions) else ():
            if source.place in places:
                found[source.place].append((name, source.quote))
    return {place: tuple(quotes) for place, quotes in found.items()}


def find_quoting(quoted: Quoted, source: Source) -> str | None:
    """Return what the text is called that quotes the words of a source already, or None: other words of one event are news."""
    words = _shorten(source.quote).casefold().rstrip(" .!,;…")
    return next((name for name, known in quoted.get(source.place, ()) if words in known.casefold()), None)


def without_sources(content: str) -> str:
    """Return a text without its list of sources, whose quotes repeat its words and would count twice in a search."""
    return _LISTED.sub("\n", content, count=1) if f"\n{FIELD}:" in content else content


def unite_sources(known: Sequence[str], added: Sequence[Source]) -> list[str]:
    """Return the entries with the new ones appended; beyond the cap, the oldest remain only in earlier versions."""
    return list(dict.fromkeys([*known, *map(format_source, added)]))[-MAX_SOURCES:]
