"""Skills: procedures that an agent can follow, as `skills/<name>/SKILL.md` with its frontmatter, and their recorded uses.

Uses come from transcripts, as calls of a `Skill` tool; they give counts and pairs of skills that are used together.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from shared.core.errors import BadInputError
from shared.core.memory.frontmatter import body_of, build_frontmatter, read_fields, strings_of
from shared.core.memory.headline import summary_of
from shared.core.memory.model import SKILL_NAME, SKILLS_FOLDER, Memory
from shared.core.memory.paths import check_memory_path
from shared.core.sessions.model import EventKind, NewEvent
from shared.core.sessions.transcript import clean_id, parse_moment

SEE_ALSO = "see-also"
CREATED = "created"
LAST_USED = "last-used"
#: In characters, by the ecosystem's convention; the name may have a namespace: `mcp/email`.
MAX_NAME_CHARS = 64
MAX_SUMMARY_CHARS = 1_024
_NAME = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*(?:/[a-z0-9]+(?:[-_.][a-z0-9]+)*){0,2}")
#: A skill is sparse if its body has fewer characters and it is older than this (RockBot: 200, 7 days).
SPARSE_CHARS = 200
SPARSE_DAYS = 7.0
_SECONDS_A_DAY = 86_400
_TOOL = "Skill "
_NAME_FIELDS = ("skill", "command", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUse:
    """A use of a skill in a session; `session` is the id that the session's source gave it."""

    skill: str
    session: str
    used_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """The first message of a user in a session. `is_new`: no dream has gathered from this session before."""

    session_id: str
    event_id: str
    text: str
    at: datetime
    is_new: bool


def check_skill_name(name: str) -> str:
    """Return the name of a skill if it is valid. Raises BadInputError."""
    if len(name) > MAX_NAME_CHARS or not _NAME.fullmatch(name):
        msg = f"{name[:120]!r} cannot be a skill's name: lower-case letters, digits and hyphens, such as summarize-mail or mcp/mail"
        raise BadInputError(msg)
    return name


def skill_path(name: str) -> str:
    """Return the path of a skill. Raises UnsafePathError for a name that leads out of the skills' folder."""
    return check_memory_path(f"{SKILLS_FOLDER}/{name}/{SKILL_NAME}")


def skill_name_of(path: str) -> str:
    """Return the name of the skill whose `SKILL.md` has this path."""
    return path.removeprefix(f"{SKILLS_FOLDER}/").removesuffix(f"/{SKILL_NAME}")


def folder_of(name: str) -> str:
    """Return the folder of a skill, with a slash at the end."""
    return f"{SKILLS_FOLDER}/{name}/"


def namespace_of(name: str) -> str:
    """Return the part of a name before its last slash: `mcp` of `mcp/email`; empty for a plain name."""
    return name.rpartition("/")[0]


def describe_skill(memory: Memory) -> str:
    """Return the purpose of a skill: its description, or the beginning of its text."""
    told = read_fields(memory.content).get("description")
    return " ".join(told.split()) if isinstance(told, str) and told.strip() else summary_of(memory.content)


def see_also_of(memory: Memory) -> list[str]:
    """Return the names that a skill refers to."""
    return strings_of(read_fields(memory.content).get(SEE_ALSO, []))


def created_at_of(memory: Memory) -> datetime:
    """Return when a skill was created, from its frontmatter or else from the store."""
    return _moment(read_fields(memory.content), CREATED) or memory.created_at


def last_used_of(memory: Memory, uses: Sequence[SkillUse]) -> datetime | None:
    """Return when a skill was last used: the later of the time in its frontmatter and the recorded one."""
    name = skill_name_of(memory.path)
    found = [use.used_at for use in uses if use.skill == name]
    written = _moment(read_fields(memory.content), LAST_USED)
    return max([*found, *([written] if written else [])], default=None)


def is_sparse(memory: Memory, now: datetime) -> bool:
    """Tell whether a skill is almost empty although it is older than a week."""
    age_days = (now - created_at_of(memory)).total_seconds() / _SECONDS_A_DAY
    return len(body_of(memory.content).strip()) < SPARSE_CHARS and age_days > SPARSE_DAYS


def build_skill(name: str, summary: str, body: str, fields: Mapping[str, object]) -> str:
    """Return the text of a new SKILL.md; empty `fields` are left out. Raises BadInputError."""
    told = " ".join(summary.split())[:MAX_SUMMARY_CHARS]
    known = {"name": name.rpartition("/")[2], "description": told, **fields}
    return build_frontmatter({key: value for key, value in known.items() if value}, f"\n{body.strip()}\n")


def spaced(memory: Memory, body: str) -> str:
    """Return a new body for a skill, after a blank line if the old body began with one."""
    return f"\n{body.strip()}\n" if body_of(memory.content).startswith("\n") else f"{body.strip()}\n"


def format_moment(moment: datetime) -> str:
    """Format a moment for frontmatter: UTC, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _moment(fields: Mapping[str, object], name: str) -> datetime | None:
    value = fields.get(name)
    return parse_moment(value.isoformat() if hasattr(value, "isoformat") else value)


def normal_skill_name(raw: str) -> str:
    """Return a skill's name in the store: some agents write `plugin:skill` for `plugin/skill`."""
    return clean_id(raw.strip().strip("/").replace(":", "/"))


def find_skill_uses(session: str, events: Iterable[NewEvent], now: datetime) -> list[SkillUse]:
    """Return the uses of skills in a session's events; events without a time count as of `now`."""
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
        except (ValueError, RecursionError):  # the arguments were cut off, or there are none
            continue
        named = (given.get(field) for field in _NAME_FIELDS) if isinstance(given, dict) else ()
        name = next((one for one in named if isinstance(one, str) and normal_skill_name(one)), None)
        if name is not None:
            yield normal_skill_name(name)


def count_uses(uses: Sequence[SkillUse]) -> dict[str, int]:
    """Return how often each skill was used."""
    return dict(Counter(use.skill for use in uses))


def find_pairs(uses: Sequence[SkillUse], names: Iterable[str], limit: int) -> tuple[tuple[str, str, int], ...]:
    """Return the pairs of skills that were used together in the most sessions, with the number of sessions."""
    known = set(names)
    by_session: dict[str, set[str]] = {}
    for use in uses:
        if use.skill in known:
            by_session.setdefault(use.session, set()).add(use.skill)
    pairs = Counter(pair for used in by_session.values() for pair in combinations(sorted(used), 2))
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    return tuple((left, right, number) for (left, right), number in ranked[:limit])
