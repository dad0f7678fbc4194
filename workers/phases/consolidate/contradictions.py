"""Contradictions: of two memories that cannot both hold, one supersedes the other. A correction always wins.

The loser is not deleted: it leaves the live set, names its successor and keeps its text. A deletion without a
replacement is only proposed to a person.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import AliasChoices, Field

from shared.core.dream.operations import Operation, OperationKind, Retire, Skip
from shared.core.memory.doc_type import CORRECTION
from shared.core.memory.frontmatter import read_fields, strings_of
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.confidence import confidence_of
from shared.core.merging.loss_cap import LossBudget, decide_protected
from shared.core.policy.policy import SafetyPolicy
from shared.core.questions.answer import Answer
from workers.phases.consolidate import NAME

#: Where a memory may say that it is a correction.
_FIELDS = ("category", "type", "kind", "tags")


class Contradiction(Answer):
    """Two offered memories that cannot both hold. Names may be given as ids, as RockBot's sweep does."""

    winner: str = Field(default="", validation_alias=AliasChoices("winner", "winnerId", "winner_id"))
    loser: str = Field(default="", validation_alias=AliasChoices("loser", "loserId", "loser_id"))
    reason: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retiring:
    """The decisions about one group: operations, skips, and how much may still be retired."""

    operations: tuple[Operation, ...]
    skips: tuple[Skip, ...]
    loss: LossBudget


def is_correction(memory: Memory) -> bool:
    """Tell whether a memory's category, type or tags say that it corrects what was believed before."""
    fields = read_fields(memory.content)
    said = (word for name in _FIELDS for word in strings_of(fields.get(name)))
    return any(part in (CORRECTION, f"{CORRECTION}s") for word in said for part in word.lower().split("/"))


def plan_contradictions(
    pairs: Sequence[Contradiction],
    to_delete: Sequence[str],
    offered: Mapping[str, Memory],
    policy: SafetyPolicy,
    loss: LossBudget,
) -> Retiring:
    """Return one RETIRE for each contradiction, and a proposal for each memory that is to go without a replacement.

    Args:
        pairs: winner, loser, reason, as the model named them. Unknown, equal and empty names are ignored and counted.
        to_delete: paths that the model wants deleted.
        offered: memories that the model was shown and that have not changed since, by path.
        policy: which memories are protected.
        loss: how much may be retired; anything beyond is proposed.
    """
    operations: list[Operation] = []
    skips: list[Skip] = []
    gone: set[str] = set()
    for pair in pairs:
        decided = _decide_pair(pair, offered, gone)
        if isinstance(decided, Skip):
            skips.append(decided)
            continue
        winner, loser = decided
        operation = _supersede(pair, winner, loser)
        operation, loss = _within_rules(operation, loser, policy, loss)
        gone.add(loser.path)
        operations.append(operation)
    for path in dict.fromkeys(to_delete):
        if path not in offered or path in gone:
            skips.append(Skip(code="not_offered", detail=f"toDelete {path[:200]!r}: not offered, or changed already"))
        else:
            operations.append(_propose_archive(offered[path]))
    return Retiring(operations=tuple(operations), skips=tuple(skips), loss=loss)


def _decide_pair(pair: Contradiction, offered: Mapping[str, Memory], gone: set[str]) -> tuple[Memory, Memory] | Skip:
    """Return winner and loser after the rule that a correction wins, or why the pair is ignored."""
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
    winner, loser = offered[pair.winner], offered[pair.loser]
    return (loser, winner) if is_correction(loser) and not is_correction(winner) else (winner, loser)


def _supersede(pair: Contradiction, winner: Memory, loser: Memory) -> Operation:
    retire = Retire(
        memory_id=loser.id, version=loser.version, path=loser.path,
        state=MemoryState.SUPERSEDED, successor_id=winner.id,
    )  # fmt: skip
    why = " (a correction wins)" if is_correction(winner) and not is_correction(loser) else ""
    return Operation(
        kind=OperationKind.RETIRE,
        phase=NAME,
        reason=f"{loser.path} contradicts {winner.path}, which holds{why}: {pair.reason or 'no reason given'}",
        changes=(retire,),
        confidence=confidence_of(pair.confidence),
        needs_review=True,
    )


def _within_rules(
    operation: Operation, loser: Memory, policy: SafetyPolicy, loss: LossBudget
) -> tuple[Operation, LossBudget]:
    protected = decide_protected(loser.signals, loser.author, policy)
    if protected is not None:
        return replace(operation, propose_only=f"{loser.path} is protected: {protected}"), loss
    left = loss.take(1)
    if left is None:
        reason = f"loss cap: this dream may retire {loss.allowed} memories and has retired {loss.used}"
        return replace(operation, propose_only=reason), loss
    return operation, left


def _propose_archive(memory: Memory) -> Operation:
    retire = Retire(
        memory_id=memory.id, version=memory.version, path=memory.path, state=MemoryState.ARCHIVED
    )  # fmt: skip
    return Operation(
        kind=OperationKind.RETIRE,
        phase=NAME,
        reason=f"The model would delete {memory.path}; nothing takes its place",
        changes=(retire,),
        needs_review=True,
        propose_only="a deletion without a replacement is for a person to decide",
    )
