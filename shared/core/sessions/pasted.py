"""Tell a person's own words from what they pasted or quoted: code, logs, review comments, mails, pages, documents, quotations.

Positions in a text stay the same: pasted text is replaced by blanks.
"""

import re

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
        is_blank = is_inside or is_document or _NOT_PROSE.match(line) is not None
        lines.append(" " * len(line) if is_blank or _is_markup(line) else line)
    return "\n".join(lines)


def _is_markup(line: str) -> bool:
    return line.rstrip().endswith(">") and _TAG.match(line) is not None


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


def is_review_comment(text: str) -> bool:
    """Tell whether a whole message is a review comment of a tool or a person: technical and impersonal, as far as a language is known."""
    head = text[:4_000]
    if _SPEAKS.search(head) or not read_heads()[find_language(head).code].reading.speaks:
        return False
    is_labelled = _SEVERITY.match(head) is not None and len(head) > 40
    return is_labelled or (len(head) >= _SHORTEST_COMMENT and _TECHNICAL.search(head) is not None)
