"""One line of an index that leads to a memory: its title, its path as a link, and as much of its summary as there is room for."""

import re
from pathlib import PurePosixPath

from shared.core.policy.policy import IndexPolicy

#: What ends a word in the name of a file.
WORD_END = re.compile(r"[-_. ]")
_TITLE_CHARS = 80
#: Files that every folder may have.
_OF_A_FOLDER = frozenset(["README", "readme", "index", "_index", "SKILL", "CLAUDE", "AGENTS"])
_TO_ESCAPE = re.compile(r"[% ()#?<>]")
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,300}\)")
#: What a template leaves to be filled in: `<Name of the host>`.
_FILLED_IN = re.compile(r"<([^<>\n]{1,200})>")
#: The name of a field: `Session: `.
_NAME = r"[^\W\d_][^\n:\uff1a]{0,40}[:\uff1a][*_ ]*"
_DAY = (
    r"[12]\d{3}(?:-[01]\d-[0-3]\d|[年년] ?[01]?\d[月월] ?[0-3]?\d[日일](?:[(\uff08][^()\uff08\uff09\n]{1,3}[)\uff09])?)"
)
_STAMP = rf"{_DAY}(?:[T ]+\d[\d:.]*+)?+\s*+(?:[A-Z]{{1,4}}|[+-]\d\d:?\d\d)?+[\s*_)]*+"
#: A stamp (`Session: 2026-01-16 14:30 UTC`), or several, or a label of a template or a transcript (`Name: `, `**Date:** …`, `user: `,
#: `{{date}}`) says nothing about a memory.
_LABEL = re.compile(
    r"[\s>*_#-]*(?:(?i:session(?:[ _](?:id|key))?|user|assistant|human|system|"
    r"date|time|timestamp|created|(?:last[ _])?updated|author|name|id|tags)[*_ ]*[:\uff1a]"
    rf"|(?:{_NAME})?{_STAMP}(?:\| *{_NAME}{_STAMP})*+$"
    rf"|{_NAME}$"
    rf"|(?:{_NAME})?(?:<[^<>\n]*>|\{{\{{[^{{}}\n]*\}}\}}|_?\([^()\n]*\)_?)$)"
)
_WIKI_LINK = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")


def pointer_to(path: str, title: str, summary: str, prefix: str, policy: IndexPolicy) -> str:
    """Return the line of a memory in the index of the folder `prefix` (with its slash; empty for the root)."""
    return pointer_line(short_title(title, _TITLE_CHARS), path.removeprefix(prefix), summary, policy)


def pointer_line(title: str, target: str, said: str, policy: IndexPolicy) -> str:
    """Return one line that leads to a path, with as much of what is said there as the pointer's length allows."""
    link = f"- [{plain(title).rstrip(chr(92))}]({link_of(target)})"
    room = policy.pointer_chars - len(link) - 3
    summary = plain(said)
    if room < 20 or not summary:
        return link
    return f"{link} — {summary if len(summary) <= room else summary[: room - 1].rstrip() + '…'}"


def without_labels(path: str, title: str, summary: str) -> tuple[str, str]:
    """Return a title and a summary; a stamp or a label is none: the file's name is the title then, and the summary is empty."""
    is_titled, is_told = (_LABEL.match(said) is None for said in (title, summary))
    return title if is_titled else name_by_file(path, ""), summary if is_told else ""


def name_by_file(path: str, title: str) -> str:
    """Return the name of a file, with the title where it says something else."""
    stem = PurePosixPath(path).stem
    folder = PurePosixPath(path).parent.name
    if stem in _OF_A_FOLDER and folder:
        stem = f"{folder}/{stem}"
    said, name = (" ".join(WORD_END.split(one.casefold())) for one in (title, stem))
    return stem if said in name else f"{stem} ({title})"


def short_title(title: str, limit_chars: int) -> str:
    """Return as much of a title as a link may hold."""
    return plain(title)[:limit_chars].rstrip("\\ ")  # a backslash would escape the bracket that ends the link


def plain(text: str) -> str:
    """Return text that cannot break out of its line or its link; of a link in it, its words are left."""
    if "[" in text:  # in few titles and summaries
        text = _WIKI_LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _FILLED_IN.sub(r"(\1)", text).replace("<", "(") if "<" in text else text
    return " ".join(text.replace("[", "(").replace("]", ")").split())


def link_of(path: str) -> str:
    """Return a path as the target of a markdown link; `urllib.parse.unquote` gives it back."""
    return _TO_ESCAPE.sub(lambda sign: f"%{ord(sign[0]):02X}", path)
