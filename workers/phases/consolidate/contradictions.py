"""Contradictions between whole memories: a model says which of two holds, and a person decides whether the other one goes.

The loser is not deleted: it leaves the live set, names its successor and keeps its text. A single statement that a later one
changed is superseded where it stands, by the phase `revise`.
"""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import AliasChoices, Field

from shared.core.dream.operations import Operation, OperationKind, Retire, Skip
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.confidence import confidence_of
from shared.core.questions.answer import Answer
from workers.phases.consolidate import NAME


class Contradiction(Answer):
    """Two offered memories that cannot both hold. Names may be given as ids, as RockBot's sweep does."""

    winner: str = Field(default="", validation_alias=AliasChoices("winner", "winnerId", "winner_id"))
    loser: str = Field(default="", validation_alias=AliasChoices("loser", "loserId", "loser_id"))
    reason: str = ""
    confidence: float | None = None


def plan_contradictions(
    pairs: Sequence[Contradiction], to_delete: Sequence[str], offered: Mapping[str, Memory]
) -> Iterator[Operation | Skip]:
    """Yield a proposed RETIRE for each contradiction, and for each memory that is to go without a replacement.

    Args:
        pairs: winner, loser, reason, as the model named them. Unknown, equal and empty names are ignored and counted.
        to_delete: paths that the model wants deleted.
        offered: memories that the model was shown and that have not changed since, by path.
    """
    gone: set[str] = set()
    for pair in pairs:
        ignored = _find_ignored(pair, offered, gone)
        if ignored is not None:
            yield ignored
            continue
        gone.add(pair.loser)
        yield _retire(
            offered[pair.loser],
            offered[pair.winner],
            f"{pair.loser} contradicts {pair.winner}, which holds: {pair.reason or 'no reason given'}",
            "which of two memories holds is for a person to decide",
            pair.confidence,
        )
    for path in dict.fromkeys(to_delete):
        if path not in offered or path in gone:
            yield Skip(code="not_offered", detail=f"toDelete {path[:200]!r}: not offered, or changed already")
        else:
            reason = f"The model would delete {path}; nothing takes its place"
            yield _retire(
                offered[path], None, reason, "a deletion without a replacement is for a person to decide", None
            )


def _find_ignored(pair: Contradiction, offered: Mapping[str, Memory], gone: set[str]) -> Skip | None:
    named = f"{pair.winner[:200]!r} over {pair.loser[:200]!r}"
    if not pair.winner.strip() or not pair.loser.strip():
        return Skip(code="contradiction_empty", detail=f"contradiction {named}: a name is missing")
    if pair.winner == pair.loser:
        return Skip(code="contradiction_self", detail=f"contradiction {named}: a memory does not contradict itself")
    unknown = [path for path in (pair.winner, pair.loser) if path not in offered]
    if unknown:
        return Skip(code="not_offered", detail=f"contradiction {named}: {unknown[0][:200]!r} was not offered")
    if {pair.winner, pair.loser} & gone:
        return Skip(code="already_changed", detail=f"contradiction {named}: one of them lost already")
    return None


def _retire(loser: Memory, winner: Memory | None, reason: str, doubt: str, confidence: float | None) -> Operation:
    retire = Retire(
        memory_id=loser.id, version=loser.version, path=loser.path,
        state=MemoryState.ARCHIVED if winner is None else MemoryState.SUPERSEDED,
        successor_id=None if winner is None else winner.id,
    )  # fmt: skip
    return Operation(
        kind=OperationKind.RETIRE, phase=NAME, reason=reason, changes=(retire,),
        confidence=confidence_of(confidence), needs_review=True, propose_only=doubt,
    )  # fmt: skip
