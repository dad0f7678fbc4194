"""Blank the parts of a text that are not prose: code, addresses, names of things, frontmatter. They hold no dates."""

import re

from shared.core.memory.yaml_read import split_frontmatter
from shared.languages.language_file import pattern_of

#: Stands for a protected character; no rule matches it and no word borders on it.
BLANK = "\x00"
_FENCE = re.compile(r"[ \t]{0,12}(?:>[ \t]?){0,4}(```+|~~~+)")
_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]{1,2000}\1")
_ADDRESS = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,12}://\S+|\]\([^()\[\]\n]{1,500}\)|<!--[^<\n]{0,500}?-->|<[a-z/][^<>\n]{0,300}>",
    re.IGNORECASE,
)
#: A word with a mark inside is a name: `yesterday-job`, `today_count`, `logs/today`, `next.week()`.
#: Chinese and Japanese set no spaces: a name ends where their signs begin.
_NAME = re.compile(r"[^\s\x00\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]{1,400}")
_NAME_MARK = re.compile(r"\w[_/\\@=#$&]\w|\w-\w|\w\.\w|\w\(|^[/@#$~-]\w|::|\w[_-]$|^_")
#: Words that name a day, with a hyphen.
_DAY_WORD = pattern_of("hyphened", r"<>\Z", is_whole=False)
_EDGES = ".,;:!?()[]{}\"'*\u201c\u201d\u2018\u2019\u2026"


def blank_protected(text: str) -> str:
    """Return a text of the same length with a blank mark for every protected character."""
    head = len(split_frontmatter(text).raw)
    prose = _blank(text[:head]) + blank_code_blocks(text[head:])[0]
    for pattern in (_CODE, _ADDRESS):
        prose = pattern.sub(lambda found: _blank(found[0]), prose)
    return _NAME.sub(_blank_name, prose)


def blank_code_blocks(text: str) -> tuple[str, bool]:
    """Return a text of the same length with a blank mark for each character of a fenced block, and whether all are closed."""
    lines, fence = [], ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        is_code = bool(fence) or mark is not None
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        lines.append(_blank(line) if is_code else line)
    return "".join(lines), not fence


def _blank_name(found: re.Match[str]) -> str:
    word = found[0].strip(_EDGES)
    return _blank(found[0]) if _NAME_MARK.search(word) and not _DAY_WORD.match(word) else found[0]


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", BLANK, text)
