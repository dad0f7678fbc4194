"""Read a memory or a session sentence by sentence: each is looked for wherever it may have been copied to."""

import re
from collections.abc import Collection, Iterator

from shared.core.forgetting.json_values import strings_of_json
from shared.core.forgetting.words import letters_of
from shared.core.memory.frontmatter import body_of, read_fields, split_frontmatter
from shared.core.memory.provenance import FIELD, Source, read_sources

#: Fewer letters say nothing that stands nowhere else.
MIN_TELLING = 12
_MIN_LINE = 6
_MARKER = re.compile(r"^\s*(?:#{1,6}\s+|[-*+>]\s+|\d{1,3}[.)]\s+)+")
_STOP = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\||\n\s*\n|\n(?=\s*(?:[-*+>#]|\d{1,3}[.)])\s)")


def sentences_of(text: str, min_letters: int = MIN_TELLING) -> set[str]:
    """Return the sentences, headings and list items of a text that say something; a wrapped line is part of its sentence."""
    parts = (_MARKER.sub("", part).strip() for part in _STOP.split(text))
    return {part for part in parts if len(letters_of(part)) >= min_letters}


def phrases_of(content: str) -> set[str]:
    """Return what a memory says: the sentences of its body, the strings of its frontmatter, and the quotes of its sources."""
    raw = split_frontmatter(content).raw
    fields = {name: value for name, value in read_fields(content).items() if name != FIELD}
    told = {one for text in strings_of_json(list(fields.values())) for one in sentences_of(text)}
    quotes = {one for source in read_sources(content) for one in sentences_of(source.quote)}
    return sentences_of(content[len(raw) :]) | told | quotes


def find_gone(before: str, after: str) -> frozenset[str]:
    """Return what a memory no longer says: sentences, quotes of sources, and whole lines, which may be shorter."""
    lines = [{_MARKER.sub("", line).strip() for line in body_of(one).splitlines()} for one in (before, after)]
    short = {one for one in lines[0] - lines[1] if len(letters_of(one)) >= _MIN_LINE}
    return frozenset(phrases_of(before) - phrases_of(after) | short)


def said_in(content: str, is_meant: "Collection[Source]") -> set[str]:
    """Return the sentences of a memory that these of its sources support: they share most of their words with a quote."""
    raw = split_frontmatter(content).raw
    quotes = [_words_of(source.quote) for source in is_meant]
    return {
        sentence
        for sentence in sentences_of(content[len(raw) :], min_letters=1)
        if any(_is_supported(_words_of(sentence), quote) for quote in quotes)
    }


def find_supporting(content: str, said: "Collection[str]") -> frozenset[str]:
    """Return the quotes of a memory's sources that support one of these of its sentences."""
    words = [_words_of(one) for one in said]
    return frozenset(
        source.quote
        for source in read_sources(content)
        if source.quote and any(_is_supported(one, _words_of(source.quote)) for one in words)
    )


def _is_supported(sentence: Collection[str], quote: Collection[str]) -> bool:
    shared = sum(word in quote for word in sentence)
    return bool(sentence) and 2 * shared > len(sentence)


def _words_of(text: str) -> frozenset[str]:
    return frozenset(_iterate_words(text))


def _iterate_words(text: str) -> Iterator[str]:
    for word in text.split():
        letters = letters_of(word)
        if len(letters) > 3 or letters.isdigit():
            yield letters
