"""Find two statements that plainly contradict each other, to show them to a person.

`opposites` keeps texts from being merged, and in doubt it finds a conflict. What a person is told has to hold: two statements are
quoted, each of them is whole however its lines are wrapped, what one denies the other speaks of, and they are about the subject. When a page was written or last reviewed
is about the page, as its frontmatter is, and differs anyway.
"""

import re

from shared.core.memory.frontmatter import body_of
from shared.core.merging.opposites import find_opposites

#: A shorter line was not wrapped: it ends its sentence.
_FEWEST_CHARS_OF_WRAPPED = 40
_ENDS = (".", "!", "?", ":", ";", "|", "\u3002")
_HEADING = re.compile(r"^ {0,3}#{1,6} .*$", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]*(```|~~~)")
#: Openings of a line that does not continue a sentence: markup, an item, code, or a label with its value.
_BEGINS = re.compile(
    r"[ \t]*(?:[#>|<*_~=]|[-+][ \t]|\d{1,3}[.)][ \t]|-{3}|\[[^\]]{1,60}\]:|[A-Z][\w -]{0,40}[:=])| {4}[ \t]*\S|\t"
)
#: Labels of a page's own dates, on lines with nothing but the date.
_OF_THE_PAGE_TEXT = (
    "updated reviewed created modified revised edited written changed update review revision "
    "aktualisiert aktualisierung ge\u00e4ndert \u00e4nderung erstellt gepr\u00fcft stand "
    "mise cr\u00e9\u00e9 cr\u00e9\u00e9e modifi\u00e9 modifi\u00e9e r\u00e9vis\u00e9 r\u00e9vis\u00e9e r\u00e9vision "
    "actualizaci\u00f3n actualizado revisi\u00f3n revisado creado modificado atualiza\u00e7\u00e3o atualizado criado "
    "date datum fecha data"
)
_OF_THE_PAGE = frozenset(_OF_THE_PAGE_TEXT.split())
_OF_THE_PAGE_UNSPACED = ("\u66f4\u65b0", "\u4f5c\u6210\u65e5", "\u521b\u5efa", "\u65e5\u4ed8")
_RECORD = re.compile(r"^[ \t>*_+-]*([^\W\d_][^\n:\uff1a]{0,40}?)[*_]*[:\uff1a][*_]*[ \t]*([^\n]{4,40})$", re.MULTILINE)
_DAY = re.compile(r"\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2}")


def find_plain_conflict(left: str, right: str, *, is_one_subject: bool = True) -> str | None:
    """Return the sentence that quotes two statements of two texts that contradict each other, or None; in doubt None.

    Args:
        left: one text.
        right: the other one.
        is_one_subject: both are surely about one subject. Where that is not known, two pages of one template look the same:
            those have other values in several lines, and are no contradiction.
    """
    found = find_opposites(_told(left), _told(right), is_surely=True, is_told=True)
    first = next(found, None)
    if first is None or not first.quoted:
        return None
    if not is_one_subject and any(one.quoted != first.quoted for one in found):
        return None
    return first.said


def _told(text: str) -> str:
    """Return the statements of a text about its subject, each statement of prose on its own line; a heading states nothing."""
    return _HEADING.sub("", _RECORD.sub(_without_own_day, _unwrap(body_of(text))))


def _without_own_day(record: re.Match[str]) -> str:
    label, value = record[1].lower(), record[2]
    is_own = not _OF_THE_PAGE.isdisjoint(label.split()) or any(one in label for one in _OF_THE_PAGE_UNSPACED)
    return "" if is_own and _DAY.search(value) and not re.search(r"\w+ \w+ \w+ \w+", value) else record[0]


def _unwrap(body: str) -> str:
    """Join lines that were wrapped by hand; code stays unchanged."""
    joined: list[str] = []
    is_code = is_open = False
    for line in body.splitlines():
        is_fence = _FENCE.match(line) is not None
        is_code ^= is_fence
        text = line.rstrip()
        if is_open and text and not (is_fence or is_code or _BEGINS.match(text)):
            joined.append(f" {text.lstrip()}")
        else:
            joined.append(f"\n{text}")
        is_open = not (is_fence or is_code) and len(text) >= _FEWEST_CHARS_OF_WRAPPED and not text.endswith(_ENDS)
    return "".join(joined)
