"""Find who wrote an event, and cut off what programs put around a person's words.

A host stores as "user" whatever it sends to its model: a person's words, but also prompts of schedulers and other agents, notices,
and context of its own around the words. Known wrappers are listed in `wrappers.toml`. Others are found by their structure: elements
with a hyphen or an underscore in their name, labels with a time or an id, session keys. Prose is not guessed at: in doubt the words
are the person's and stay as they are. The work is linear in the text.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from shared.core.sessions.model import EventKind, Origin
from shared.core.sessions.origin.elements import Element, begins_with_machine, find_elements
from shared.core.sessions.origin.labels import Label, is_machine, read_label, read_speaker
from shared.core.sessions.origin.wrappers import (
    CURRENT_MESSAGE,
    EARLIER_MESSAGES,
    MACHINE_OPENINGS,
    MACHINE_TAGS,
    MACHINES,
    MACHINES_NOUNS,
    PERHAPS_MACHINES,
    SPEECH_TAGS,
)
from shared.core.sessions.pasted import blank_blocks, blank_pasted

_BY_KIND = {
    EventKind.USER: Origin.PERSON,
    EventKind.LOG: Origin.ASSISTANT,
    EventKind.ASSISTANT: Origin.ASSISTANT,
    EventKind.THINKING: Origin.ASSISTANT,
    EventKind.TOOL_CALL: Origin.ASSISTANT,
    EventKind.TOOL_RESULT: Origin.TOOL,
}
#: The key of a session that a program began: `agent:main:cron:60` (OpenClaw).
_MACHINES_SESSION = re.compile(r"agent:[^:\s]{1,100}:(?:cron|subagent|hook|heartbeat)\b")
_MOST_LABELS = 20
_SPEECH_LEAD = re.compile(r"(?:New instructions for task continuation|The user [^\n]{0,120}):\n")
_SYSTEM_LINES = re.compile(r"(?:System(?: \(untrusted\))?: \[[^\n]{0,2000}(?:\n\s*|$))+")
_METADATA = re.compile(r"[A-Z][^\n]{0,80}\(untrusted[^\n]{0,80}:\n```(?:json)?\n")
_FENCE_END = "\n```"
_NAMES = re.compile(r'"(?:sender|name|label|username)":\s?"([^"\n]{1,100})"')
_QUOTED = re.compile(r"\[(Replying|Quoting|Quoted)\b[^\]\n]{0,200}\]")
_ENDING = re.compile(r"\n\s*(?:\[message_id:[^\]\n]{0,200}\]|\[?Current time: [^\n]{1,200})\s*\Z")
_LONGEST_ENDING = 500
_FIRST_CHARS, _LAST_CHARS = 8_000, 4_000
_NOUNS = "|".join(sorted(MACHINES_NOUNS))
_MACHINES_LINE = re.compile(
    rf"(?:(?:{'|'.join(sorted(MACHINES | PERHAPS_MACHINES))}) (?:{_NOUNS})|cron|cronjob|heartbeat|scheduler)(?: ?\([^()\n]{{1,60}}\))?:\s|"
    rf"this is an? (?:{'|'.join(sorted(MACHINES | PERHAPS_MACHINES))}) (?:[\w-]{{1,20}} )?(?:{_NOUNS})\b|"
    r"\W{0,4}you are (?:now )?(?:running as )?(?:an? |the )?\W{0,3}sub-?agent\b",
    re.IGNORECASE,
)
#: One line with a hash is what Claude Code's users type to have something remembered; a document has more lines.
_HASH = re.compile(r"#{1,6}[ \t]+(?=\S[^\n]*\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributed:
    """The writer of an event, and its words without what programs put around them; `at` is the moment that a wrapper names."""

    origin: Origin
    words: str
    at: datetime | None = None


def find_origin(kind: EventKind, text: str, *, role: str = "", session: str = "") -> Attributed:
    """Return who wrote an event, and the words. Where nothing is cut off, they are the text itself.

    Args:
        kind: the kind of the event.
        text: its text as it came.
        role: the host's name for the speaker.
        session: the host's id of the session.
    """
    origin = _BY_KIND.get(kind, Origin.ASSISTANT if role == "assistant" else Origin.MACHINE)
    if kind is not EventKind.USER or not text.strip():
        return Attributed(origin=origin, words=text)
    if is_machine(role) or _MACHINES_SESSION.match(session):
        return Attributed(origin=Origin.MACHINE, words=text)
    return _read(text, role)


def _read(text: str, role: str) -> Attributed:
    rest, is_machines = _without_elements(text)
    rest, labels, names = _without_labels(rest)
    at = next((label.at for label in labels if label.at), None)
    other = next((label.origin for label in labels if label.origin is not Origin.PERSON), None)
    speech = _find_speech(rest)
    if speech:
        rest, other = speech, None
    is_machines = is_machines or not rest or _is_written_by_machine(rest)
    if is_machines or other is not None:
        return Attributed(origin=other or Origin.MACHINE, words=text, at=at)
    named = " ".join((role, *names, *(label.told for label in labels)))
    rest = rest[read_speaker(rest, named, is_group=any(label.is_group for label in labels)) :]
    rest = _HASH.sub("", _without_ending(_without_quoted(rest)), count=1)
    words = text if rest == text.strip() else rest
    return Attributed(origin=Origin.PASTED if _is_pasted(rest) else Origin.PERSON, words=words, at=at)


def _is_pasted(text: str) -> bool:
    """Tell whether nothing of a text is its sender's own. Of a long one, both ends are looked at: there people type."""
    if len(text) <= _FIRST_CHARS + _LAST_CHARS:
        return not blank_pasted(text).strip()
    return not any(blank_blocks(end).strip() for end in (text[:_FIRST_CHARS], text[-_LAST_CHARS:]))


def _without_elements(text: str) -> tuple[str, bool]:
    """Return the text without the elements of programs, and whether it begins with one that is a message of its own."""
    kept, place, is_machines = list[str](), 0, False
    for element in find_elements(text):
        if element.name in SPEECH_TAGS:
            continue
        is_leading = not "".join(kept).strip() and not text[place : element.start].strip()
        is_machines = is_machines or (is_leading and element.name in MACHINE_TAGS)
        kept.append(text[place : element.start])
        place = element.end
    rest = "".join([*kept, text[place:]]).strip()
    return rest, is_machines or begins_with_machine(rest)


def _without_labels(text: str) -> tuple[str, list[Label], list[str]]:
    """Return the text without the labels that it begins with, these, and the names in the metadata among them."""
    if text.startswith(EARLIER_MESSAGES) and CURRENT_MESSAGE in text:
        text = text.rpartition(CURRENT_MESSAGE)[2].lstrip()
    labels, names = list[Label](), list[str]()
    for _ in range(_MOST_LABELS):
        label, lines, data = read_label(text), _SYSTEM_LINES.match(text), _METADATA.match(text)
        data_end = text.find(_FENCE_END, data.end()) if data else -1
        if _is_written_by_machine(text):
            break
        if label is not None:
            labels.append(label)
            text = text[label.end :].lstrip()
            if label.origin is not Origin.PERSON:
                break
        elif lines is not None:
            text = text[lines.end() :].lstrip()
        elif data is not None and data_end >= 0:
            names += _NAMES.findall(text[data.end() : data_end])
            text = text[data_end + len(_FENCE_END) :].lstrip()
        else:
            break
    return text, labels, names


def _find_speech(text: str) -> str:
    """Return what the elements hold that are made for a person's words, when the text begins with one."""
    lead = _SPEECH_LEAD.match(text)
    start = lead.end() if lead else 0
    if not text.startswith("<", start):
        return ""
    found: list[Element] = [one for one in find_elements(text[start:]) if one.name in SPEECH_TAGS]
    return "\n".join(one.inner.strip() for one in found) if found and found[0].start == 0 else ""


def _is_written_by_machine(text: str) -> bool:
    return text[:100].lower().startswith(MACHINE_OPENINGS) or _MACHINES_LINE.match(text) is not None


def _without_quoted(text: str) -> str:
    """Return the text without the messages that it replies to, which a carrier repeats."""
    kept, place = list[str](), 0
    for found in _QUOTED.finditer(text):
        closing = f"[/{found[1]}"
        end = text.find(closing, found.end()) if found.start() >= place else -1
        stop = text.find("]", end) if end >= 0 else -1
        if found.start() >= place and stop < 0:
            break
        if stop >= 0:
            kept.append(text[place : found.start()])
            place = stop + 1
    return "".join([*kept, text[place:]]).strip()


def _without_ending(text: str) -> str:
    for _ in range(3):
        found = _ENDING.search(text, max(0, len(text) - _LONGEST_ENDING))
        if found is None:
            break
        text = text[: found.start()].rstrip()
    return text
