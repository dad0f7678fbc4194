"""Contradictions: of two memories that cannot both hold, one supersedes the other.

The loser is not deleted: it leaves the live set, names its successor and keeps its text. What the host cannot see for itself
(`evidence.py`), what the model was unsure of and a deletion without a replacement are only proposed to a person.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import AliasChoices, Field

from shared.core.dream.operations import Operation, OperationKind, Retire, Skip
from shared.core.memory.model import Memory, MemoryState
from shared.core.merging.confidence import confidence_of, find_doubt
from shared.core.merging.loss_cap import LossBudget, reason_protected
from shared.core.policy.policy import SafetyPolicy
from shared.core.questions.answer import Answer
from workers.phases.consolidate import NAME
from workers.phases.consolidate.evidence import find_unproven


class Contradiction(Answer):
    """Two offered memories that cannot both hold, and the statement of each, copied from it.

    Names may be given as ids, as RockBot's sweep does.
    """

    winner: str = Field(default="", validation_alias=AliasChoices("winner", "winnerId", "winner_id"))
    loser: str = Field(default="", validation_alias=AliasChoices("loser", "loserId", "loser_id"))
    winner_quote: str = ""
    loser_quote: str = ""
    reason: str = ""
    confidence: float | None = None

    def quotes_of(self, winner: Memory) -> tuple[str, str]:
        """Return the quotes of winner and loser, once a rule has decided which memory wins."""
        named = (self.winner_quote, self.loser_quote)
        return named if winner.path == self.winner else (named[1], named[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class RetiringRules:
    """The rules under which contradictions are settled."""

    safety: SafetyPolicy
    review_below_confidence: float = 0.7
    recent_winners: Collection[str] = ()  # ids of memories for which others were recently retired


@dataclass(frozen=True, slots=True, kw_only=True)
class Retiring:
    """The decisions about one group: operations, skips, and how much may still be retired."""

    operations: tuple[Operation, ...]
    skips: tuple[Skip, ...]
    loss: LossBudget


def plan_contradictions(
    pairs: Sequence[Contradiction],
    to_delete: Sequence[str],
    offered: Mapping[str, Memory],
    rules: RetiringRules,
    loss: LossBudget,
) -> Retiring:
    """Return one RETIRE for each contradiction, and a proposal for each memory that is to go without a replacement.

    Args:
        pairs: winner, loser, reason, as the model named them. Unknown, equal and empty names are ignored and counted.
        to_delete: paths that the model wants deleted.
        offered: memories that the model was shown and that have not changed since, by path.
        rules: which memories are protected, and which have recently won.
        loss: how much may be retired; anything beyond is proposed.
    """
    operations: list[Operation] = []
    skips: list[Skip] = []
    gone: set[str] = set()
    won = set(rules.recent_winners)
    for pair in pairs:
        decided = _decide_pair(pair, offered, gone)
        if isinstance(decided, Skip):
            skips.append(decided)
            continue
        winner, loser = decided
        operation = _supersede(pair, winner, loser)
        unproven = find_unproven(winner, loser, pair.quotes_of(winner), won)
        operation, loss = _within_rules(operation, loser, unproven, rules, loss)
        gone.add(loser.path)
        won.add(winner.id)
        operations.append(operation)
    for path in dict.fromkeys(to_delete):
        if path not in offered or path in gone:
            skips.append(Skip(code="not_offered", detail=f"toDelete {path[:200]!r}: not offered, or changed already"))
        else:
            operations.append(_propose_archive(offered[path]))
    return Retiring(operations=tuple(operations), skips=tuple(skips), loss=loss)


def _decide_pair(pair: Contradiction, offered: Mapping[str, Memory], gone: set[str]) -> tuple[Memory, Memory] | Skip:
    """Return winner and loser, or why the pair is ignored."""
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
    return offered[pair.winner], offered[pair.loser]


def _supersede(pair: Contradiction, winner: Memory, loser: Memory) -> Operation:
    retire = Retire(
        memory_id=loser.id, version=loser.version, path=loser.path,
        state=MemoryState.SUPERSEDED, successor_id=winner.id,
    )  # fmt: skip
    return Operation(
        kind=OperationKind.RETIRE,
        phase=NAME,
        reason=f"{loser.path} contradicts {winner.path}, which holds: {pair.reason or 'no reason given'}",
        changes=(retire,),
        confidence=confidence_of(pair.confidence),
        needs_review=True,
    )


def _within_rules(
    operation: Operation, loser: Memory, unproven: str | None, rules: RetiringRules, loss: LossBudget
) -> tuple[Operation, LossBudget]:
    if unproven is not None:
        return replace(operation, propose_only=unproven), loss
    protected = reason_protected(loser.signals, rules.safety)
    if protected is not None:
        return replace(operation, propose_only=f"{loser.path} is protected: {protected}"), loss
    unsure = find_doubt(operation.confidence, rules.review_below_confidence)
    if unsure is not None:
        return replace(operation, propose_only=unsure), loss
    left = loss.take(1)
    if left is None:
        reason = f"loss cap: this dream may retire {loss.allowed} memories and has retired {loss.used} (safety.loss_cap_share)"
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
