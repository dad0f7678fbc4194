"""What stands in a person's message without being their words: code, quotes, logs, a pasted review comment."""

import re

_FENCE = re.compile(r"[ \t]{0,8}(```|~~~|\"\"\")")
_NOT_PROSE = re.compile(
    r"[ \t]{0,8}(?:>|\||\$ |at \S{1,200}\(|[+-]{3} |@@ |Traceback |File \")|\t| {4,}(?![-*+]|\d+[.)])"
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
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
#: A pasted plan that somebody wants carried out.
_ORDER = re.compile(r"\W{0,8}implement the\b", re.IGNORECASE)
#: A shorter text is somebody's own remark.
_SHORTEST_COMMENT = 140


def blank_pasted(text: str) -> str:
    """Return the text with fenced blocks, quoted lines and inline code made blank, so that every place keeps its number."""
    lines, fence = [], ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_inside = bool(fence) or mark is not None
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        lines.append(" " * len(line) if is_inside or _NOT_PROSE.match(line) else line)
    return _INLINE_CODE.sub(lambda code: " " * len(code[0]), "\n".join(lines))


def is_review_comment(text: str) -> bool:
    """Tell whether a whole message is a comment of a tool or reviewer: technical, about something, spoken by nobody."""
    head = text[:4_000]
    if _SPEAKS.search(head) or _ORDER.match(head):
        return False
    is_labelled = _SEVERITY.match(head) is not None and len(head) > 40
    return is_labelled or (len(head) >= _SHORTEST_COMMENT and _TECHNICAL.search(head) is not None)
