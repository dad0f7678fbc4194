"""Tell a person's own words from what they pasted or quoted: code, logs, review comments, mails, pages, documents, quotations.

Positions in a text stay the same: pasted text is replaced by blanks.
"""

import re

from shared.core.sessions.languages.language import Language

_FENCE = re.compile(r"[ \t]{0,8}(```|~~~|\"\"\")")
_NOT_PROSE = re.compile(
    r"[ \t]{0,8}(?:>|\||\$ |at \S{1,200}\(|[+-]{3} |@@ |Traceback |File \"|\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b[\]: ]|"
    r"npm (?:ERR!|WARN\b)|error\[|//|/\*|\*/|<!--)|\t| {4,}(?![-*+]|\d+[.)])"
)
#: A line that shows a text of another author, which follows: "Here is what the page says:".
_LEADS_IN = re.compile(
    r"(?!\W{0,8}(?:for|in|on|when|about|regarding)\b)(?=[^\n]{0,400}\b(?:this|these|following|below|here|from|got|received|found|look|read)\b)"
    r"(?=[^\n]{0,400}\b(?:page|website|e-?mail|mail|newsletter|readme|file|article|documents?|docs|thread|code|snippet|script|"
    r"comments?|log|output|post|issue|ticket|review|transcript|changelog|diff)\b)"
    r"(?![^\n]{0,400}\b(?:remember|always|never|from now on|note|keep|my|our)\b)[^\n]{1,400}:\s*\Z",
    re.IGNORECASE,
)
_TAG = re.compile(r"[ \t]{0,8}</?([A-Za-z][\w-]{0,60})(?:\s[^<>]{0,2000})?/?>")
#: People do not type headings: text under one is a document, and so is a mail with its sender or subject, and what is forwarded.
_HEADING = re.compile(
    r" {0,3}(?:#{1,6} \S|-{2,12} ?(?i:forwarded|original) (?i:message)\b|(?i:begin forwarded message:|\[forwarded (?:from|message)\b)|(?:From|Subject|Von|Betreff|De|Objet|Asunto|Assunto|Da|Oggetto|Van|Onderwerp|发件人|主题|差出人|件名)\s?[:\uff1a] ?\S)"
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
_QUOTATION = re.compile(
    r"(?<!\w)'(?:[^'\n]|'(?=\w)){8,400}'(?!\w)|\"[^\"\n]{8,400}\"|\u201c[^\u201d\n]{8,400}\u201d|\u201e[^\u201c\u201d\n]{8,400}[\u201c\u201d]|\u00ab[^\u00bb\n]{8,400}\u00bb|"
    r"\u300c[^\u300d\n]{6,400}\u300d|\u300e[^\u300f\n]{6,400}\u300f"
)
#: Of fewer words it is a name, which belongs to the sentence: also one in code, whose letters say nothing.
_FEWEST_QUOTED_SPACES = 2
_SPEAKS = re.compile(
    r"\b(?:i|i'm|i'd|i'll|i've|we|we're|we'll|let's|lets|you|you're|you've|our|my|me|please)\b", re.IGNORECASE
)
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
    """Return the text without fenced and marked-up blocks, quoted lines, and documents from their heading or lead on."""
    lines, fence, is_document = [], "", False
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_inside = bool(fence) or mark is not None
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        is_document = is_document or (not is_inside and _HEADING.match(line) is not None)
        is_blank = is_inside or is_document or _NOT_PROSE.match(line) is not None
        lines.append(" " * len(line) if is_blank or _is_markup(line) else line)
        is_document = is_document or (not is_inside and _LEADS_IN.match(line) is not None)
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


#: A longer line before a quotation was not written to lead into it.
_LONGEST_LEAD = 200


def is_review_comment(text: str) -> bool:
    """Tell whether a whole message is a review comment of a tool or a person: technical and impersonal."""
    head = text[:4_000]
    if _SPEAKS.search(head):
        return False
    is_labelled = _SEVERITY.match(head) is not None and len(head) > 40
    return is_labelled or (len(head) >= _SHORTEST_COMMENT and _TECHNICAL.search(head) is not None)
