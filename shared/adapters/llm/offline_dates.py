"""Relative dates that have one meaning become absolute against the date of their memory; the phrase stays beside it.

"last week", weekdays, "about three days ago" and sentences that speak of every day are left alone: never guessed.
"""

import re
from datetime import date, timedelta

_NUMBERS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_PHRASE = re.compile(
    r"\b(?P<before>the day before yesterday)\b|\b(?P<after>the day after tomorrow)\b"
    r"|\b(?P<word>yesterday|today|tomorrow)\b(?P<own>['\u2019]s)?"
    rf"|\b(?P<ago>\d{{1,3}}|{'|'.join(_NUMBERS)})\s+days?\s+ago\b",
    re.IGNORECASE,
)
_OFFSETS = {"yesterday": -1, "today": 0, "tomorrow": 1}
#: What makes a number of days vague, right before it.
_VAGUE_BEFORE = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|over|than|least|most|until|or|to|some|every|couple of|~|≈|[-\u2013\u2014/.,])\s*$",
    re.IGNORECASE,
)
#: "2 weeks and 2 days ago", "4 months from tomorrow": the phrase is the end of a longer one.
_LONGER = re.compile(r"\b(?:days?|weeks?|months?|years?),?(?:\s+(?:and|from|after|before|since))?\s*$", re.IGNORECASE)
#: Sentences about any day, and orders, have no date of their own.
_GENERAL = re.compile(
    r"\b(?:always|never|every|each|whenever|if|when|daily|usually|typically|often|should|must|may|can|could|would|"
    r"e\.g|such as|like|says?|asks?|means?|phrases?|words?)\b|\?",
    re.IGNORECASE,
)
_DATED_NEAR = re.compile(r"\d{4}-\d{2}-\d{2}|\b\d{1,2}\s+[A-Z][a-z]{2,8}\s+\d{4}|[A-Z][a-z]{2,8}\s+\d{1,2},?\s+\d{4}")
#: "today" is a day only where something happened or is due; elsewhere it means "nowadays".
_EVENT = re.compile(
    r"\b(?:\w{3,}ed|was|were|had|did|due|broke|lost|met|sent|found|saw|began|went|made|wrote|ran|took|got|gave|told|"
    r"as of)\b",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_HEADS = re.compile(r"^(?:#{1,6}\s.*|\s*(?:[-*+]\s+)?\*\*.*?\*\*|\s*(?:[-*+]\s+)?\d{4}-\d{2}-\d{2}\b)", re.MULTILINE)
_LEFT_ALONE = re.compile(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|\[[^\]\n]*\]\([^)\n]*\)|https?://\S+|<!--.*?-->")
_FENCE = re.compile(r"\s*(```+|~~~+)")
_NOT_PROSE = re.compile(r"\s*(?:#{1,6}\s|>|\||<)| {4,}\S|\t\S")
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*\s*")


def resolve_dates(body: str, at: str, name: str = "") -> str:
    """Return the body with unambiguous relative dates made absolute, or as it is when there is nothing to go by.

    Args:
        body: a text without its frontmatter.
        at: the ISO date of the memory. A text whose `name` or headings carry another date was written bit by bit, and
            nobody knows on which day: it is left alone.
        name: the path of the memory, which may carry a date.
    """
    day = _read_day(at)
    if day is None or _PHRASE.search(body) is None:
        return body
    if _ISO.findall(" ".join((name, *_HEADS.findall(body)))) not in ([], [day.isoformat()]):
        return body
    lines, fence = [], ""
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        is_prose = not fence and not mark and not _NOT_PROSE.match(line)
        lines.append(_resolve_line(line, day) if is_prose else line)
    return "\n".join(lines)


def _read_day(at: str) -> date | None:
    try:
        return date.fromisoformat(at.strip()[:10])
    except ValueError:
        return None


def _resolve_line(line: str, day: date) -> str:
    return "".join(_resolve_sentence(sentence, day) for sentence in _SENTENCE.findall(line))


def _resolve_sentence(sentence: str, day: date) -> str:
    if _PHRASE.search(sentence) is None or _GENERAL.search(sentence) or _DATED_NEAR.search(sentence):
        return sentence
    kept = [(found.start(), found.end()) for found in _LEFT_ALONE.finditer(sentence)]

    def put_date(found: re.Match[str]) -> str:
        if any(start <= found.start() < end for start, end in kept):
            return found[0]
        return _dated(found, sentence, day)

    return _PHRASE.sub(put_date, sentence)


def _dated(found: re.Match[str], sentence: str, day: date) -> str:
    if (found["word"] or "").lower() == "today" and not _EVENT.search(sentence):
        return found[0]
    if _LONGER.search(sentence[: found.start()]):
        return found[0]
    if found["ago"] and _VAGUE_BEFORE.search(sentence[: found.start()]):
        return found[0]
    if sentence[found.end() : found.end() + 1] in {"-", "/"} or sentence[: found.start()].endswith(("-", "/", "_")):
        return found[0]
    try:
        absolute = (day + timedelta(days=_offset(found))).isoformat()
    except OverflowError:
        return found[0]
    return f"{found[0]} ({absolute})" if found["own"] else f"{absolute} ({found[0].lower()})"


def _offset(found: re.Match[str]) -> int:
    if found["before"]:
        return -2
    if found["after"]:
        return 2
    if found["ago"]:
        count = found["ago"].lower()
        return -(_NUMBERS.get(count) or int(count))
    return _OFFSETS[found["word"].lower()]
