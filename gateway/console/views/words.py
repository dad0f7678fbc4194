"""Put moments, numbers and states into words for the console."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from gateway.api.http.paging import encode_cursor
from gateway.phases import get_phases
from shared.core.dream.model import OperationState, Trigger
from shared.core.dream.operations import KINDS, OperationKind, say_deed
from shared.core.dream.recall import ABOUT, ProbeKind, by_kind, read_recall
from shared.core.questions.prices import say_cost, say_reused
from shared.core.tenants.audit import say_detail
from shared.core.trust.orders import is_line_order

_UNITS = ((31_536_000, "y"), (2_592_000, "mo"), (86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
#: What each state is like: good, busy, waiting, bad or over. Colour is never the only sign: the state's word stands by it.
TONES = {
    "completed": "good", "done": "good", "applied": "good", "approved": "good", "live": "good", "open": "good",
    "running": "busy", "queued": "wait", "proposed": "wait", "pending": "wait",
    "partial": "warn", "error": "bad", "failed": "bad", "canceled": "over", "undone": "over", "skipped": "over",
    "rejected": "over", "archived": "over", "superseded": "over", "removed": "over", "paused": "warn",
    "answered": "good", "delivered": "good", "enabled": "good", "failing": "warn", "disabled": "bad",
}  # fmt: skip


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def span(seconds: float) -> str:
    """Return a time span in its largest unit that fits: `3 h`."""
    size, unit = next((pair for pair in _UNITS if seconds >= pair[0]), _UNITS[-1])
    return f"{int(seconds // size)} {unit}"


def ago(moment: datetime | None) -> str:
    """Return how long ago, or in how long."""
    if moment is None:
        return "never"
    seconds = (now() - moment).total_seconds()
    if abs(seconds) < 1:
        return "now"
    return f"{span(seconds)} ago" if seconds > 0 else f"in {span(-seconds)}"


def moment(value: datetime | None) -> str:
    """Return a moment to the second, in UTC."""
    return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if value else "—"


def took(begun: datetime | None, ended: datetime | None) -> str:
    """Return how long something took, or takes by now."""
    if begun is None:
        return ""
    return lasted(((ended or now()) - begun).total_seconds() * 1_000)


def lasted(milliseconds: float) -> str:
    """Return a length of time: `40 ms`, `1.5 s`, `3 min 5 s`."""
    seconds = milliseconds / 1_000
    if seconds < 1:
        return f"{max(0, round(seconds * 1000))} ms"
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"


def count(number: float, word: str, several: str = "") -> str:
    """Return a number with its noun: `1 memory`, `2 memories`."""
    return f"{number:,} {word if number == 1 else several or word + 's'}"


def short(identifier: str) -> str:
    """Return an id as people tell it apart: its end."""
    return f"…{identifier[-8:]}"


#: How the counters of a phase begin that are not kinds of operations, and how a page says it.
_BEGINNINGS = {
    "proposed_": "proposed: ", "not_applied_": "not applied: ", "put_back_": "put back: ", "skip_": "left alone: ",
    "refused_": "refused: ", "missing_": "unanswered: ", "escalated_": "asked again: ",
}  # fmt: skip


#: Counters whose own names say too little beside the kinds of operations.
_COUNTERS = {
    "INDEX": "index rewritten", "indexed": "memories listed", "indexed_folders": "folders listed",
    "over_budget_lines": "lines over the budget", "over_budget_bytes": "bytes over the budget",
    "probes": "searches tried", "decayed": "faded", "opened": "opened by a look", "unopened": "wanted by a look, not opened",
}  # fmt: skip


def tally(counter: str) -> str:
    """Return the name of a phase's counter in words: `MERGE` is `merged`, `proposed_MERGE` is `proposed: merged`."""
    if counter in _COUNTERS:
        return _COUNTERS[counter]
    found = next((begins for begins in _BEGINNINGS if counter.startswith(begins)), "")
    rest = counter.removeprefix(found)
    kind = rest.upper()
    said = KINDS[OperationKind(kind)].label if kind in set(OperationKind) else rest.replace("_", " ").lower()
    if said == "flagged" and kind != OperationKind.FLAG:
        return "to review"  # of every kind, beside the flags themselves
    return said if _BEGINNINGS.get(found, "").startswith(said) else _BEGINNINGS.get(found, "") + said


#: Parts of a setting's name that are not words.
_NAMES = {"usd": "dollars", "url": "URL", "api": "API", "id": "ID"}
#: Names whose words would not be English.
_LABELS = {"usd_this_day": "Dollars today", "store_usd_this_day": "Store dollars today"}


def label(code: str) -> str:
    """Return a setting's name as a label: `usd_per_day` is `Dollars per day`."""
    said = " ".join(_NAMES.get(part, part) for part in str(code).lower().split("_"))
    return _LABELS.get(str(code)) or said[:1].upper() + said[1:]


def by_author(author: str) -> str:
    """Return who wrote a version, as a sentence says it: `by a dream`."""
    return f"by {'an' if author[:1] in 'aeio' else 'a'} {author}"


def beyond(reason: str, kind: str) -> str:
    """Return what a reason says beyond its kind, which a page has said already: `Merge a.md` is `a.md`."""
    label = KINDS[OperationKind(kind)].label
    verbs = (label, label.removesuffix("d"), label.removesuffix("ed"))  # merge, link
    told = next((verb for verb in verbs if reason.lower().startswith(f"{verb} ")), "")
    return reason[len(told) :].lstrip(" :") if told else reason


def why_only(reason: str, kind: str) -> str:
    """Return the why of a reason where its kind and its memories stand beside it: `Archive a.md — stale` is `Stale`."""
    if beyond(reason, kind) == reason:
        return reason
    return capital(reason.partition(" — ")[2])


_ONLY_PROPOSED = "proposed only: "


def reason_of(reason: str, kind: str, note: str) -> str:
    """Return the one reason that a card shows: why a person is asked, if a rule says so, or else why the dream did it."""
    asked = note.removeprefix(_ONLY_PROPOSED)
    return capital(asked) if asked != note else why_only(reason, kind)


def note_beside(note: str) -> str:
    """Return the note of an operation where its reason is shown; empty if it is that reason."""
    return "" if note.startswith(_ONLY_PROPOSED) else note


#: A link in Markdown, of which a search shows the words only.
_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{0,300}\)|\[\[([^\[\]\n|]{1,300})\]\]")


def unlinked(text: str) -> str:
    """Return a text without the addresses of its links: `[the office](door.md)` is `the office`."""
    return _LINK.sub(lambda found: found[1] or found[2], text)


#: A path at the beginning of a sentence, which would be another path with a capital.
_PATH_FIRST = re.compile(r"\S+[/.]\w")


def capital(sentence: str) -> str:
    """Return a sentence with a capital unless it begins with a path, and codes of failures in words: `model_unreachable` is `model unreachable`."""
    said = re.sub(r"\bmodel_[a-z_]+", lambda code: code[0].replace("_", " "), sentence)
    return said if _PATH_FIRST.match(said) else said[:1].upper() + said[1:]


#: What a version did, in the past tense of the pages.
_CHANGES = {
    "create": "written", "update": "changed", "archive": "archived", "supersede": "merged away", "keep": "kept",
    "remove": "removed", "restore": "restored", "follow": "brought up to date", "pin": "pinned", "unpin": "unpinned",
}  # fmt: skip

#: Who or what asked for a dream.
_ASKED_BY = {
    Trigger.SWEEP: "the schedule",
    Trigger.DELAY: "dream.delay",
    Trigger.CLI: "the command line",
    Trigger.API: "the API",
    Trigger.DIGEST: "the daily digest",
    Trigger.COMPACTION: "the compaction of old memories",
}

FILTERS: dict[str, Callable[..., Any]] = {
    "ago": ago,
    "moment": moment,
    "span": span,
    "count": count,
    "cost": say_cost,
    "reused": say_reused,
    "short": short,
    "tone": lambda state: TONES.get(str(state), "over"),
    "cursor": lambda place: encode_cursor(str(place)),
    "did": lambda kind: KINDS[OperationKind(kind)].label,
    "deed": lambda kind, state: say_deed(OperationKind(kind), OperationState(state)),
    "phase": lambda name: get_phases().label_of(str(name)),
    "told": say_detail,
    "number": lambda value: f"{value:,}".removesuffix(".0"),
    "lasted": lasted,
    "tally": tally,
    "recall": read_recall,
    "by_kind": by_kind,
    "asked_about": lambda kind: ABOUT[ProbeKind(kind)],
    "label": label,
    "by_author": by_author,
    "beyond": beyond,
    "why_only": why_only,
    "reason_of": reason_of,
    "note_beside": note_beside,
    "capital": capital,
    "unlinked": unlinked,
    "is_order": is_line_order,
    "changed": lambda change: _CHANGES.get(str(change), str(change)),
    "asked_by": lambda trigger: _ASKED_BY[Trigger(trigger)],
    "words": lambda code: str(code).replace("_", " ").lower(),
}
GLOBALS: dict[str, Callable[..., Any]] = {"took": took}
