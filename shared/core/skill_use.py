"""Uses of skills as transcripts have them: calls of a `Skill` tool. And what uses say together: counts, pairs."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations

from shared.core.session import EventKind, NewEvent
from shared.core.skill import SkillUse
from shared.core.transcript import clean_id

_TOOL = "Skill "
_NAME_FIELDS = ("skill", "command", "name")


def normal_skill_name(raw: str) -> str:
    """Return a skill's name as the store has it: `plugin:skill` of some agents is `plugin/skill` here."""
    return clean_id(raw.strip().strip("/").replace(":", "/"))


def find_skill_uses(session: str, events: Iterable[NewEvent], now: datetime) -> list[SkillUse]:
    """Return the uses of skills among a session's events; `now` stands in for the time of events without one."""
    return [
        SkillUse(skill=name, session=session, used_at=event.at or now)
        for event in events
        if event.kind is EventKind.TOOL_CALL
        for name in dict.fromkeys(_names_in(event.text))
    ]


def _names_in(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith(_TOOL):
            continue
        try:
            given = json.loads(line.removeprefix(_TOOL))
        except (ValueError, RecursionError):  # cut in the middle, or no arguments
            continue
        named = (given.get(field) for field in _NAME_FIELDS) if isinstance(given, dict) else ()
        name = next((one for one in named if isinstance(one, str) and normal_skill_name(one)), None)
        if name is not None:
            yield normal_skill_name(name)


def count_uses(uses: Sequence[SkillUse]) -> dict[str, int]:
    """Return how often each skill was used."""
    return dict(Counter(use.skill for use in uses))


def find_pairs(uses: Sequence[SkillUse], names: Iterable[str], limit: int) -> tuple[tuple[str, str, int], ...]:
    """Return the pairs of these skills that most sessions used both of, with how many sessions did."""
    known = set(names)
    by_session: dict[str, set[str]] = {}
    for use in uses:
        if use.skill in known:
            by_session.setdefault(use.session, set()).add(use.skill)
    pairs = Counter(pair for used in by_session.values() for pair in combinations(sorted(used), 2))
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return tuple((left, right, number) for (left, right), number in ranked[:limit])
