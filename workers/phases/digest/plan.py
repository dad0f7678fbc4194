"""Turn a model's bullets into the digest of a day, as SwarmClaw publishes it: 3 to 7 bullets, links to at most 10 memories.

Each bullet needs offered memories as sources; a digest with a bullet that says more than its sources is only proposed.
The memories stay unchanged. A digest is never digested again, and is exempt from upkeep.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from shared.core.dream.operations import Create, Operation, OperationKind, Plan, Skip
from shared.core.memory.doc_type import DAILY_DIGEST
from shared.core.memory.frontmatter import body_of, build_frontmatter
from shared.core.memory.model import Memory, Signals, Tier
from shared.core.merging.confidence import confidence_of, needs_look
from shared.core.merging.specifics import find_missing_specifics
from shared.core.policy.upkeep import DigestPolicy
from shared.core.sessions.grounding import find_made_up
from shared.core.text.words import cut
from shared.core.upkeep.due import digest_path
from workers.phases.digest import NAME
from workers.phases.digest.answer import DigestAnswer, DigestBullet

_MAX_BULLET_CHARS = 600
#: Durable, so that it stays; less important than new memories, so that an index shows its sources first.
_SIGNALS = Signals(tier=Tier.DURABLE, importance=40.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DigestView:
    """The facts for the rules: the day, the covered time, the offered memories by path, the number of all memories."""

    day: str
    since: datetime
    until: datetime
    offered: Mapping[str, Memory]
    memories: int
    policy: DigestPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A bullet whose sources were offered."""

    text: str
    sources: tuple[str, ...]
    confidence: float | None
    unfounded: tuple[str, ...]
    made_up: str | None  # the part that its sources do not say


def plan_digest(view: DigestView, answer: DigestAnswer) -> Plan:
    """Return one DIGEST with the valid bullets, or the reason for none; each omitted bullet has a reason."""
    policy = view.policy
    judged = [_judge(view, bullet) for bullet in answer.bullets]
    skips = [one for one in judged if isinstance(one, Skip)]
    lines = list[_Line]()
    for line in (one for one in judged if isinstance(one, _Line)):
        if any(_repeats(line, earlier) for earlier in lines):
            skips.append(Skip(code="said_twice", detail=f"{line.text[:80]}: an earlier bullet says so of the same"))
        else:
            lines.append(line)
    if len(lines) > policy.max_bullets:
        skips.append(Skip(code="cap", detail=f"{len(lines)} bullets, more than {policy.max_bullets}"))
    lines = lines[: policy.max_bullets]
    if len(lines) < policy.min_bullets:
        detail = f"{len(lines)} bullets that rest on offered memories, fewer than {policy.min_bullets}: no digest"
        return Plan(skips=(*skips, Skip(code="too_few_bullets", detail=detail)))
    return Plan(operations=(_operation(view, lines),), skips=tuple(skips))


def _repeats(line: _Line, earlier: _Line) -> bool:
    """Tell whether an earlier bullet has the same words and all of this one's sources."""
    return cut(line.text) == cut(earlier.text) and set(line.sources) <= set(earlier.sources)


def _judge(view: DigestView, bullet: DigestBullet) -> _Line | Skip:
    text = " ".join(body_of(bullet.text).replace("\x00", "").split()).lstrip("-*• ").strip()
    name = text[:80] or "a bullet"
    if not text or len(text) > _MAX_BULLET_CHARS:
        return Skip(code="incomplete_action", detail=f"{name}: needs a text of at most {_MAX_BULLET_CHARS} characters")
    sources = tuple(path for path in dict.fromkeys(bullet.sources) if path in view.offered)
    if not sources:
        return Skip(code="not_offered", detail=f"{name}: rests on no offered memory")
    said = [view.offered[path].content for path in sources]
    return _Line(
        text=text,
        sources=sources,
        confidence=bullet.confidence,
        unfounded=tuple(find_missing_specifics("\n".join(said), [text])),
        made_up=find_made_up(text, said),
    )


def _operation(view: DigestView, lines: list[_Line]) -> Operation:
    links = list(dict.fromkeys(path for line in lines for path in line.sources))[: view.policy.max_links]
    unfounded = [one for line in lines for one in line.unfounded]
    note = f" — not in its sources: {', '.join(unfounded[:3])}" if unfounded else ""
    confidences = [confidence_of(line.confidence) for line in lines]
    lowest = None if None in confidences else min(one for one in confidences if one is not None)
    return Operation(
        kind=OperationKind.DIGEST,
        phase=NAME,
        reason=f"Digest of {view.day}: {view.memories} memories in {len(lines)} bullets{note}",
        changes=(Create(path=digest_path(view.day), content=_content(view, lines, links), signals=_SIGNALS),),
        confidence=lowest,
        needs_review=bool(unfounded) or needs_look(lowest, view.policy.review_below_confidence),
        propose_only=next((f'"{line.text[:80]}": {line.made_up}' for line in lines if line.made_up), None),
    )


def _content(view: DigestView, lines: list[_Line], links: list[str]) -> str:
    title = f"Daily digest of {view.day}"
    until = _moment(view.until)
    fields: dict[str, object] = {
        "title": title,
        "type": DAILY_DIGEST,
        "category": DAILY_DIGEST,
        "origin": "dream",
        "covers": f"{_moment(view.since)}/{until}",
        "memories": view.memories,
        "related": links,
        "createdAt": until,
        "updatedAt": until,
    }
    bullets = "\n".join(f"- {line.text}" for line in lines)
    return build_frontmatter(fields, f"# {title}\n\n{bullets}\n")


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
