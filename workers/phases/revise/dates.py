"""Write the day of a relative date behind its words: `tomorrow (2026-03-26)`.

Whether the day follows from the words and the day of the text is checked where operations are applied; else a person decides.
"""

import re
from collections.abc import Collection, Sequence

from shared.core.dream.operations import Operation, OperationKind, Rewrite, Skip
from shared.core.errors import UneditableFrontmatterError
from shared.core.memory import importance as scoring
from shared.core.memory.frontmatter import body_of, with_body
from shared.core.memory.model import Memory
from shared.core.merging.confidence import confidence_of, find_doubt
from shared.core.reading.placed import Form, Placed
from shared.core.text.clip import clip
from workers.phase.by_reference import Statements
from workers.phase.shape import Surroundings
from workers.phases.revise import NAME
from workers.phases.revise.answer import DateItem

MAX_DATES = 100
_DAY = re.compile(r"(?:week of )?\d{4}(?:-\d{2}(?:-\d{2})?)?")
_MOST_WORDS_CHARS = 80


def plan_dates(
    statements: Statements, items: Sequence[DateItem], written: Collection[str], around: Surroundings
) -> list[Operation | Skip]:
    """Return an operation for each memory in which dates are written.

    Args:
        statements: what was shown.
        items: the dates of the answer.
        written: the paths of memories that another operation of the phase writes; the next dream dates them.
        around: the policy and the time.
    """
    found: list[Operation | Skip] = []
    places: dict[str, dict[int, DateItem]] = {}
    memories: dict[str, Memory] = {}
    for item in items[:MAX_DATES]:
        known = statements.find(item.statement)
        at = None if known is None else _find_end(body_of(known[0].content), known[1].placed, item)
        if known is None or at is None:
            detail = (
                f"{clip(item.words)!r} of {item.statement[:40]!r} stands there not once, or {item.day[:20]!r} is no day"
            )
            found.append(Skip(code="not_offered", detail=detail))
        elif known[0].path in written:
            found.append(Skip(code="already_changed", detail=f"{known[0].path}: {clip(item.words)!r} is dated later"))
        else:
            memories[known[0].path] = known[0]
            places.setdefault(known[0].path, {})[at] = item
    return [*found, *(_operation(memories[path], dated, around) for path, dated in places.items())]


def _find_end(body: str, placed: Placed, item: DateItem) -> int | None:
    """Return the place behind the words, if they stand once in the statement and have no day yet."""
    text, words = body[placed.start : placed.end], item.words.strip()
    is_readable = placed.form not in {Form.WHOLE, Form.FIELD} and 0 < len(words) <= _MOST_WORDS_CHARS
    if not is_readable or not _DAY.fullmatch(item.day) or text.count(words) != 1 or item.day in text:
        return None
    return placed.start + text.index(words) + len(words)


def _operation(memory: Memory, dated: dict[int, DateItem], around: Surroundings) -> Operation | Skip:
    body = body_of(memory.content)
    for at in sorted(dated, reverse=True):
        body = f"{body[:at]} ({dated[at].day}){body[at:]}"
    try:
        content = with_body(memory.content, body)
    except UneditableFrontmatterError as error:
        return Skip(code="uneditable_frontmatter", detail=f"{memory.path}: {error}")
    known = [sure for one in dated.values() if (sure := confidence_of(one.confidence)) is not None]
    rewrite = Rewrite(
        memory_id=memory.id, version=memory.version, path=memory.path, content=content,
        signals=scoring.updated(memory.signals, around.now),
    )  # fmt: skip
    return Operation(
        kind=OperationKind.TEMPORAL_UPDATE,
        phase=NAME,
        reason="; ".join(f"“{clip(one.words)}” is {one.day}" for one in dated.values()),
        changes=(rewrite,),
        confidence=min(known, default=None),
        propose_only=find_doubt(min(known, default=None), around.policy.consolidate.review_below_confidence),
    )
