"""The one-line title and summary of a memory, for indexes and lists; they must work for any text.

They are computed for ten thousand memories at once, so simple fields are read by pattern, with YAML as the fallback.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from shared.core.memory.yaml_read import MAX_BLOCK_CHARS, load_block, split_frontmatter

MAX_TITLE_CHARS = 200
#: A summary is looked for in the head of the body only.
_LOOKED_AT_CHARS = 4_000

#: A field whose value can be read without YAML: one line, plain or in quotes without escapes.
_SIMPLE = (
    r"^{name}:[ \t]+(?:\"([^\"\\\n]*)\"|'([^'\n]*)'|([^\W\d_][^\n:#]*+(?:[:#](?<=\w[:#])(?=[^\s])[^\n:#]*+)*+))[ \t]*+\r?$"
    r"(?!\n[ \t])"
)
_TITLE_NAMES = ("title", "name")
_SUMMARY_NAMES = ("summary", "description")
_PATTERNS = {name: re.compile(_SIMPLE.format(name=name), re.MULTILINE) for name in (*_TITLE_NAMES, *_SUMMARY_NAMES)}
#: A field follows the first delimiter, so it is no horizontal rule.
_LONG_HEAD = re.compile(r"\ufeff?---[ \t]*\r?\n(?=[A-Za-z_][\w-]{0,60}:(?:\s|$))")
_HEAD_END = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_TYPED_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

_NAMED_ITEM = re.compile(r"([^.!?:]{3,40}):\s")
#: A heading below the title, without its number, if any.
_SUBHEADING = re.compile(r"(#{2,6})[ \t]+(?:\d{1,3}[.)][ \t]+)?(\S[^\n]{0,200})")
_HEADING = re.compile(r"^# +(\S.*)", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(```+|~~~+)")
#: Lines that are not prose: headings, tables, rules, link definitions, HTML and comments, setext underlines, images.
_NOT_PROSE = re.compile(r"#{1,6}(\s|$)|\||<|\[?!\[|\[[^\]]+\]:|([-*_=]\s*){3,}$")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)]|>)[ \t]+(?:\[[ xX]\][ \t]+)?")
_DECORATION = re.compile(r"\*\*|__|`")
_IN_BOLD = re.compile(r"\*\*(?!\s)([^*\n]{1,200})(?<!\s)\*\*")
#: The end of a sentence: a stop before a capital, a digit or a sign that opens something; or a full-width stop.
_SENTENCE_END = re.compile(r"[.!?](?=\s+[^\sa-z])|[\u3002\uff01\uff1f]")
#: A stop after one of these ends an abbreviation, an enumeration, a day (`15. Mai`) or an address (`https://…/...`), not a sentence.
_NO_END = re.compile(r"(?:^|[\s(.])(?:\w|[0-3]\d|etc|vs|cf|no|approx|Dr|Mr|Mrs|Ms|St|Inc|Ltd)$|/\.{2}$", re.IGNORECASE)
#: A label with a value of at most three words: a date, an id, a name, a state.
#: A value of any length that begins with `none` says what the text lacks: `Alert: none; this is planned work`.
_VALUE = re.compile(
    r"[A-Z\u00c0-\u00de][^.!?:]{0,40}: *(?:\S+(?: \S+){0,2}|(?i:none|nothing|n/a|unknown|tbd|todo|keine?)(?!\w).*)"
)
#: A label and the rest of its line. Consecutive lines of this form are fields (author, date) if one of them is a value.
_FIELD = re.compile(r"[^\W\d_][^.!?:\n]{0,40}: *\S")
_BOLD_FIELD = re.compile(r"\s*(\*\*|__)[^*_:\n]{1,40}(?::\1|\1:)")
#: A few words in bold that announce a statement: `**Context.** A phase …`.
_RUN_IN = re.compile(r"(\*\*|__)[^*_.!?:]{1,40}(?:\.\1|\1\.)[ \t]+(?=\S)")
#: This many words or fewer say no more than a label with its value.
_FEWEST_SPACES = 2
#: A label with fewer spaces names the text after it; a longer one introduces it.
_FEWEST_OF_LEAD = 3
_FEWEST_OF_STATEMENT = 6
_FEWEST_FIELDS = 2
_STOPS = (".", "!", "?", "\u3002", "\uff01", "\uff1f")
#: At most this many list items, and headings, are named: more do not fit on a line.
_MOST_LISTED = 5
#: Only the name of a longer item is used: `Format code` of `Format code: run …`.
_SHORT_ITEM = 30
_MOST_HEADINGS = 8
_FEWEST_HEADINGS = 2
#: A shorter line was not wrapped: it ends its sentence.
_FEWEST_CHARS_OF_WRAPPED = 50
#: A sentence below more headings than this is about its section, not about the whole text.
_MOST_HEADINGS_BEFORE = 2
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def title_of(path: str, text: str) -> str:
    """Return the frontmatter's title (or name), else the first `# heading`, else the file's name as words."""
    inner, body = _split_head(text)
    heading = _IN_BOLD.sub(r"\1", _find_heading(body))
    title = _read_first(inner, _TITLE_NAMES) or _one_line(heading, MAX_TITLE_CHARS)
    return title or _one_line(re.sub(r"[_-]+", " ", PurePosixPath(path).stem), MAX_TITLE_CHARS) or "untitled"


def summary_of(text: str, limit_chars: int = 200) -> str:
    """Return the frontmatter's summary (or description), else the body's first sentence of prose, else nothing."""
    inner, body = _split_head(text)
    return _read_first(inner, _SUMMARY_NAMES, limit_chars) or _one_line(_find_prose(body, limit_chars), limit_chars)


def _split_head(text: str) -> tuple[str, str]:
    """Return a text's fields and its body; if the fields are too long to be edited, only those that are read."""
    front = split_frontmatter(text)
    opening = None if front.is_closed else _LONG_HEAD.match(text)
    closing = _HEAD_END.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return front.inner, front.body
    return text[opening.end() : min(closing.start(), opening.end() + MAX_BLOCK_CHARS)], text[closing.end() :]


def _read_first(inner: str, names: tuple[str, ...], limit_chars: int = MAX_TITLE_CHARS) -> str:
    if not inner:
        return ""
    fields = None
    for name in names:
        found = _PATTERNS[name].search(inner)
        value: object = next((part for part in found.groups() if part is not None), "") if found else None
        if value is None or (found and found[3] and found[3].strip().lower() in _TYPED_WORDS):
            if name not in inner:
                continue
            fields = load_block(inner) if fields is None else fields
            value = fields.fields[name].value if fields and name in fields.fields else None
        line = _one_line(_as_text(value), limit_chars)
        if line:
            return line
    return ""


def _as_text(value: object) -> str:
    """Return a scalar as text; a list or a mapping is not a title."""
    return "" if value is None or isinstance(value, list | dict | set | bytes) else str(value)


def _find_heading(body: str) -> str:
    found = _HEADING.search(body)
    if found is None:
        return ""
    if "```" not in body[: found.start()] and "~~~" not in body[: found.start()]:
        return found[1].rstrip().rstrip("#")
    return next((line[2:].rstrip("# \r") for line in _outside_fences(body) if _HEADING.match(line)), "")


def _find_prose(body: str, limit_chars: int) -> str:
    """Return the first part of a text that summarizes it.

    That is its first sentence of prose, with the list that it introduces, if any. If a list comes first whose first item is not a
    sentence, or the first sentence is under a later heading, the headings are used instead. A label alone (`Task:`) and a
    repeated title are skipped; a value (`Status: done`), with values listed below it, ranks below a sentence.
    """
    body = body[:_LOOKED_AT_CHARS]
    title, value, is_card, fields_end = "", "", False, 0
    lines = _outside_fences(body)
    for at, line in enumerate(lines):
        title = title or (line[2:].strip(" #\r").casefold() if line.startswith("# ") else "")
        is_card = is_card and not line.startswith("#")
        text, is_item = _read_line(line, limit_chars)
        if (
            not text
            or _is_address(text, lines, at)
            or text.rstrip(".:").casefold() == title
            or (is_card and is_item and _NAMED_ITEM.match(text))
        ):
            continue
        if at >= fields_end and not is_item and _FIELD.match(text):
            fields_end = _end_of_fields(lines, at, limit_chars)
        if at < fields_end:
            value = value or text
        elif text.endswith(":") and _first_sentence(text) == text:
            if told := _tell_led(text, title, body.partition(line)[2], limit_chars):
                return told
        elif _VALUE.fullmatch(text) or (value and text.count(" ") < _FEWEST_SPACES):
            value, is_card = value or text, is_card or is_item
        else:
            told = _first_sentence(_unwrap(text, line, lines[at + 1 :], limit_chars))
            is_part = body.partition(line)[0].count("\n##") > _MOST_HEADINGS_BEFORE
            return ((is_part or (is_item and not _is_statement(told))) and _list_headings(lines)) or told
    return _list_headings(lines) or value


def _is_address(text: str, lines: Sequence[str], at: int) -> bool:
    """Tell whether a line addresses the reader, as in a letter: it is short, ends with a comma and stands alone."""
    is_alone = at + 1 == len(lines) or not lines[at + 1].strip()
    return text.endswith((",", "\uff0c")) and len(text) < _FEWEST_CHARS_OF_WRAPPED and is_alone


def _end_of_fields(lines: Sequence[str], at: int, limit_chars: int) -> int:
    """Return the end of the fields that begin at a line, or the line itself if no fields begin there."""
    end, has_value = at, False
    for line in lines[at:]:
        text, is_item = _read_line(line, limit_chars)
        if is_item or _FIELD.match(text) is None:
            break
        end, has_value = end + 1, has_value or _VALUE.fullmatch(text) is not None
    return end if has_value and end - at >= _FEWEST_FIELDS else at


def _unwrap(text: str, line: str, following: Sequence[str], limit_chars: int) -> str:
    """Return a line together with the lines that continue its sentence, in text that is wrapped by hand."""
    is_quoted = line.lstrip().startswith(">")
    for more in following:
        is_whole = text.endswith(_STOPS) or _first_sentence(text) != text
        if is_whole or len(line.strip()) < _FEWEST_CHARS_OF_WRAPPED or len(text) > limit_chars:
            break
        told, is_item = _read_line(more, limit_chars)
        if not told or is_item != is_quoted or more.lstrip().startswith(">") != is_quoted or _BOLD_FIELD.match(more):
            break
        text, line = f"{text} {told}", more
    return text


def _is_statement(item: str) -> bool:
    """Tell whether a text is a sentence, rather than a name with its value, a command or a few words."""
    named = _NAMED_ITEM.match(item)
    is_named = named is not None and named[1].count(" ") < _FEWEST_OF_LEAD
    return item.endswith(_STOPS) and item.count(" ") >= _FEWEST_OF_STATEMENT and not is_named


def _read_line(line: str, limit_chars: int) -> tuple[str, bool]:
    """Return the prose of a line, or an empty text, and whether the line is a list item."""
    text = line.strip()
    if not text or _NOT_PROSE.match(text):
        return "", False
    marker = _MARKER.match(text)
    text = _clean(text[marker.end() :] if marker else text, limit_chars)
    return text if any(map(str.isalnum, text)) else "", marker is not None


def _tell_led(lead: str, title: str, rest: str, limit_chars: int) -> str:
    """Return a sentence that introduces a list, with the list; nothing for a label, or if there is no list."""
    if lead.count(" ") < _FEWEST_OF_LEAD or (title and lead.casefold().startswith(f"{title} ")):
        return ""
    told = _tell_list(rest, limit_chars)
    return f"{lead} {told}" if told else ""


def _tell_list(rest: str, limit_chars: int) -> str:
    """Return the items, or else the headings, that directly follow a sentence that introduces them."""
    listed: list[str] = []
    for line in rest.split("\n"):
        if not line.strip() or (listed and line.startswith((" ", "\t"))):
            continue
        text, is_item = _read_line(line, limit_chars)
        if not listed and line.startswith("#"):
            return _list_headings(_outside_fences(rest))
        if not is_item or len(listed) == _MOST_LISTED:
            break
        named = _NAMED_ITEM.match(text)
        listed.append(named[1] if named and len(text) > _SHORT_ITEM else _first_sentence(text).rstrip(".;,"))
    return "; ".join(filter(None, listed))


def _clean(text: str, limit_chars: int) -> str:
    """Return a line without decoration and without a bold announcement, cut to the length that can be shown."""
    announced = _RUN_IN.match(text)
    text = text[announced.end() :] if announced else text
    # Only the part that can be shown is processed: a line may be a whole document.
    return _DECORATION.sub("", text[: 2 * limit_chars + 64]).strip()


def _first_sentence(text: str) -> str:
    ends = (end for end in _SENTENCE_END.finditer(text) if not _NO_END.search(text[: end.start()][-8:]))
    # One word (`Done.`) is not enough: the next sentence is added.
    end = next((end for end in ends if " " in text[: end.start()]), None)
    return text[: end.end()] if end else text


def _list_headings(lines: Sequence[str]) -> str:
    """Return the headings of the highest level below the title, at least two, as a description of the text."""
    found = [heading for line in lines if (heading := _SUBHEADING.match(line))]
    highest = min((len(heading[1]) for heading in found), default=0)
    named = [_DECORATION.sub("", heading[2]).strip(" #\r:") for heading in found if len(heading[1]) == highest]
    told = list(dict.fromkeys(name for name in named if any(map(str.isalnum, name))))
    return "; ".join(told[:_MOST_HEADINGS]) if len(told) >= _FEWEST_HEADINGS else ""


def _outside_fences(body: str) -> list[str]:
    lines = body.split("\n")
    if "```" not in body and "~~~" not in body:
        return lines
    kept, fence = [], ""
    for line in lines:
        mark = _FENCE.match(line)
        if mark is None:
            if not fence:
                kept.append(line)
        elif not fence:
            fence = mark[1]
        elif mark[1].startswith(fence):
            fence = ""
    return kept


def _one_line(text: str, limit_chars: int) -> str:
    """Return the text on one line without invisible characters, cut at a word with an ellipsis."""
    head = text[: 8 * limit_chars + 64]
    line = " ".join((head if head.isprintable() else _INVISIBLE.sub(" ", head)).split())
    if len(line) <= limit_chars:
        return line
    cut = line[: max(0, limit_chars - 1)]
    space = cut.rfind(" ", len(cut) // 2)
    return (cut[:space] if space > 0 else cut) + "…" if limit_chars > 0 else ""
