"""Places of a text that are not to be stored, and their marks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

#: A shorter value may be an ordinary word elsewhere, and so may one without digits: `postgres` as a password.
_LEAST_REPEATED_CHARS = 8
#: So many values of a text or a batch are looked for elsewhere.
MOST_REPEATED = 100
_LETTER_AND_DIGIT = re.compile(r"(?=.*[^\W\d_])(?=.*\d)", re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A part of a text that is not to be stored: its begin, its end and its kind."""

    start: int
    end: int
    kind: str


def without_overlaps(found: Iterable[Span]) -> list[Span]:
    """Return spans in the order of the text. Of two that overlap the first stays, up to the end of both."""
    kept: list[Span] = []
    for one in sorted(found, key=lambda span: (span.start, -span.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.end > kept[-1].end:
            kept[-1] = Span(kept[-1].start, one.end, kept[-1].kind)
    return kept


def mask_spans(text: str, found: Sequence[Span]) -> str:
    """Return a text with a mark such as `[masked: AWS Access Key]` for each span; the same object when there is none."""
    if not found:
        return text
    kept: list[str] = []
    end = 0
    for one in found:
        kept += [text[end : one.start], f"[masked: {one.kind}]"]
        end = one.end
    return "".join([*kept, text[end:]])


def lowered(text: str) -> str:
    """Return a text in small letters, each at its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if c.isascii() else c for c in text)


def may_repeat(value: str) -> bool:
    """Tell whether a value is the same secret wherever it stands, and no ordinary word."""
    return len(value) >= _LEAST_REPEATED_CHARS and _LETTER_AND_DIGIT.match(value) is not None


def find_repeats(text: str, kinds: Mapping[str, str]) -> Iterator[Span]:
    """Yield where a text repeats values of these kinds, as whole words, without what told that they are secret."""
    values = [one for one in kinds if may_repeat(one)]
    for value in [one for one in values[:MOST_REPEATED] if one in text]:
        for found in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text):
            yield Span(*found.span(), kinds[value])
