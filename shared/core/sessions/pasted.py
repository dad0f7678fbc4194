"""Tell a person's own words from what they pasted or quoted: code, logs, review comments, mails, pages, documents, quotations.

Positions in a text stay the same: pasted text is replaced by blanks.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from shared.core.sessions.languages import find_language
from shared.core.sessions.languages.language import Language
from shared.languages.language_file import every_word, pattern_of, read_heads

_FENCE = re.compile(r"[ \t]{0,8}(```|~~~|\"\"\")")
_NOT_PROSE = re.compile(
    r"[ \t]{0,8}(?:>|\||\$ |at \S{1,200}\(|[+-]{3} |@@ |Traceback |File \"|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[\]: ]|"
    r"npm (?:ERR!|WARN\b)|error\[|//|/\*|\*/|<!--)|\t| {4,}(?![-*+]|\d+[.)])"
)
_TAG = re.compile(r"[ \t]{0,8}</?([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,2000})?/?>")
#: People do not type headings: text under one is a document, and so is a mail with its sender or subject, and what is forwarded.
_HEADING = re.compile(rf" {{0,3}}(?:#{{1,6}} \S|(?:{'|'.join(sorted(every_word('mail_heads')))})\s?[:\uff1a] ?\S)")
_FORWARDED = pattern_of("forwarded", r" {0,3}(?:-{2,12} ?|begin |\[)<>", is_whole=False)
_INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
_QUOTATION = re.compile(
    r"(?<!\w)'(?:[^'\n]|'(?=\w)){8,400}'(?!\w)|\"[^\"\n]{8,400}\"|\u201c[^\u201d\n]{8,400}\u201d|\u201e[^\u201c\u201d\n]{8,400}[\u201c\u201d]|\u00ab[^\u00bb\n]{8,400}\u00bb|"
    r"\u300c[^\u300d\n]{6,400}\u300d|\u300e[^\u300f\n]{6,400}\u300f"
)
#: Of fewer words it is a name, which belongs to the sentence: also one in code, whose letters say nothing.
_FEWEST_QUOTED_SPACES = 2
#: A longer line before a quotation was not written to lead into it.
_LONGEST_LEAD = 200
_LONGEST_TOLD = 2_000
_SPEAKS = pattern_of("speaks")
_SEVERITY = re.compile(
    r"\W{0,8}(?:low|medium|high|critical|minor|major|nit|nitpick|suggestion|p[0-3])\b[ -]{0,3}(?:severity|priority)?\W",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"\w\(\)|\w\.(?:go|py|ts|js|rs|java|rb|c|cpp|md|ya?ml|json)\b|:\d{1,5}\b|[a-z][A-Z]|`|\w_\w|/\w+/"
)
#: A shorter text is the user's own remark.
_SHORTEST_COMMENT = 140
#: Lines of a chat, a log, a console and a configuration, of which one alone may be a person's.
_STAMPED = re.compile(
    r"[ \t]{0,8}(?:[\[(<]?\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?[\])>]?|[\[(<][^\[\]()<>\n]{1,30}[\])>])[\s,-]{1,3}\S"
    r"|[^\n:]{1,30}\s[\[(]?\d{1,2}[:.]\d\d(?: ?[AaPp]\.?[Mm]\.?)?[\])]?\s{0,8}$"
)
_SAID_AT = re.compile(
    r"[ \t]{0,8}[\[(<][^\]\n)>]{0,20}\d[:.]\d\d[^\]\n)>]{0,12}[\])>][\s-]{1,3}[^\W\d_][\w .'-]{0,30}:\s?\S"
)
_SPOKEN = re.compile(r"[ \t]{0,8}(?:[\[(<][^\]\n)>]{1,30}[\])>] ?)?([^\W\d_][\w .'@-]{0,30}?)\s?[:\uff1a]\s?\S")
_PROMPT = re.compile(r"[ \t]{0,8}(?:[$%\u276f] |PS [A-Z]:|>>> |[\w.-]{1,32}@[\w.-]{1,64}[: ][^\n$#]{0,60}[$#] )")
#: Keys with their values, sections, and rows of a table.
_PAIR = re.compile(r"\s{0,40}(?:- )?[a-z_][\w.-]{0,40}\s?[:=](?: \S|\s*$)|\s{1,40}\S|- \S|\[[^\[\]\n]{1,60}\]\s*$")
_ROW = re.compile(r"(?:[^,;\t\n]{0,200}[,;\t](?=\S)){2}")
_INLINE = re.compile(r"<([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,400})?>[^\n]{0,2000}?</\1\s*>")
_COMMENT = re.compile(r"[ \t]{0,40}(?:--|;{1,3}|%{1,3}) \S")
_FEWEST_PAIRS = 3
_CLOSED = re.compile(r"</([A-Za-z][\w-]{0,60})\s*>")
#: Elements that no tag closes.
_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
#: What stands around the text of a page: a menu, the rights.
_FURNITURE = re.compile(
    r"(?:[^|\u00b7\u2022\n]{1,40}[ \t][|\u00b7\u2022][ \t]){2}|\u00a9|\ball rights reserved\b", re.IGNORECASE
)
#: Below "Summarize this page" stands the page, if it is no shorter.
_SHORTEST_PAGE, _FEWEST_OF_PAGE = 300, 6


def blank_pasted(text: str) -> str:
    """Return the text without pasted blocks, quotations and inline code."""
    return blank_quotations(blank_blocks(text))


def blank_blocks(text: str) -> str:
    """Return the text without fenced and marked-up blocks, quoted lines, and documents from their heading on."""
    lines, fence, is_document = [], "", False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_inside = bool(fence) or mark is not None
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        is_document = is_document or (not is_inside and bool(_HEADING.match(line) or _FORWARDED.match(line)))
        is_markup = line.rstrip().endswith(">") and _TAG.match(line) is not None
        is_blank = is_inside or is_document or is_markup or _NOT_PROSE.match(line) is not None
        lines.append(" " * len(line) if is_blank else line)
    return "\n".join(lines)


def blank_quotations(prose: str) -> str:
    """Return the text without quotations and inline code in its sentences."""
    return _QUOTATION.sub(_blank_quotation, _INLINE_CODE.sub(_blank_code, prose))


def _blank_code(found: re.Match[str]) -> str:
    """Return a name in code as one word without a meaning, so that the sentence keeps its form."""
    return _blank(found) if found[0].count(" ") > _FEWEST_QUOTED_SPACES else "x" * len(found[0])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _blank_quotation(found: re.Match[str]) -> str:
    is_sentence = found[0].count(" ") >= _FEWEST_QUOTED_SPACES or (not found[0].isascii() and " " not in found[0])
    return _blank(found) if is_sentence else found[0]


def blank_reported(prose: str, language: Language) -> str:
    """Return the text without what follows a line such as "The reviewer wrote:"."""
    start = 0
    for line in prose.split("\n"):
        end = start + len(line)
        if line.rstrip().endswith((":", "\uff1a")) and language.reported.search(line.strip()[-_LONGEST_LEAD:].lower()):
            return prose[:end] + "".join(" " if character != "\n" else "\n" for character in prose[end:])
        start = end + 1
    return prose


def blank_documents(prose: str) -> str:
    """Return the text without what only its form shows to be no person's: pages, chats, consoles, logs, markup, configuration.

    It takes more away than may be said of each message, so that it holds for what a model quotes only: in doubt it is pasted.
    """
    lines, language = _INLINE.sub(_blank, prose).split("\n"), find_language(prose)
    blank = {*_find_markup(lines), *_find_console(lines), *_find_talk(lines), *_find_pairs(lines), *_find_page(lines)}
    kept = [
        " " * len(line) if at in blank or _COMMENT.match(line) else _blank_told(line, language)
        for at, line in enumerate(lines)
    ]
    return "\n".join(kept)


def _blank_told(line: str, language: Language) -> str:
    """Return a line without what stands behind "The vendor's site says:"."""
    found = language.reported.match(line.lower()) if len(line) <= _LONGEST_TOLD else None
    if found is None or not line[: found.end()].rstrip().endswith((":", "\uff1a")):
        return line
    return line[: found.end()] + " " * (len(line) - found.end())


def _find_markup(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines from one that is a tag to the one that closes it."""
    closing = {name.lower(): at for at, line in enumerate(lines) for name in _CLOSED.findall(line)}
    until = -1
    for at, line in enumerate(lines):
        tag = _TAG.match(line)
        if tag and not line.lstrip().startswith("</") and tag[1].lower() not in _VOID:
            until = max(until, closing.get(tag[1].lower(), -1))
        if at <= until:
            yield at


def _find_console(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines from a prompt to the next empty one: a command, and what it wrote."""
    is_inside = False
    for at, line in enumerate(lines):
        is_inside = bool(line.strip()) and (is_inside or _PROMPT.match(line) is not None)
        if is_inside:
            yield at


def _find_talk(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines from the first to the last of a chat or a log: two with a stamp, or a speaker who comes back."""
    stamped = [at for at, line in enumerate(lines) if _STAMPED.match(line)]
    if len(stamped) > 1 or any(at and _SAID_AT.match(lines[at]) for at in stamped):
        yield from range(stamped[0], _end_of_paragraph(lines, stamped[-1]))
    spoken = [(at, found[1].casefold()) for at, line in enumerate(lines) if (found := _SPOKEN.match(line))]
    names = [name for _, name in spoken]
    first = {name: at for at, name in reversed([*enumerate(names)])}
    if any(first[name] < at and names[at - 1] != name for at, name in enumerate(names)):
        yield from range(spoken[0][0], spoken[-1][0] + 1)


def _find_pairs(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of each configuration, keys and their values, and of each table: some in a row."""
    for pattern in (_PAIR, _ROW):
        for is_part, numbers in groupby(range(len(lines)), key=lambda at: bool(pattern.match(lines[at]))):
            part = list(numbers)
            keys = sum(not lines[at][:1].isspace() and lines[at][:1] != "-" for at in part)
            if is_part and len(part) >= _FEWEST_PAIRS and keys > 1:
                yield from part


def _end_of_paragraph(lines: Sequence[str], start: int) -> int:
    return next((at for at in range(start, len(lines)) if not lines[at].strip()), len(lines))


def _find_page(lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of a page: from behind the first paragraph, where that is about one, to its end, or to the last line of its frame."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    end = _end_of_paragraph(lines, first)
    rest = [line for line in lines[end:] if line.strip()]
    frame = [at for at, line in enumerate(lines) if at >= end and _FURNITURE.search(line)]
    if len(frame) > 1:
        yield from range(end, frame[-1] + 1)
    lead = " ".join(lines[first:end])
    is_long = len(rest) >= _FEWEST_OF_PAGE or sum(map(len, rest)) >= _SHORTEST_PAGE
    if is_long and len(lead) <= _LONGEST_LEAD:
        told = f"{lead.rstrip(' ?!.:')}:".lower()
        if find_language(lead).reported.search(told):
            yield from range(end, len(lines))


def is_review_comment(text: str) -> bool:
    """Tell whether a whole message is a review comment of a tool or a person: technical and impersonal, as far as a language is known."""
    head = text[:4_000]
    if _SPEAKS.search(head) or not read_heads()[find_language(head).code].reading.speaks:
        return False
    is_labelled = _SEVERITY.match(head) is not None and len(head) > 40
    return is_labelled or (len(head) >= _SHORTEST_COMMENT and _TECHNICAL.search(head) is not None)
