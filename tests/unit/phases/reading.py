"""Give phases their input from values: a store that is a dictionary."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from shared.core.dream.effects import Effect
from shared.core.dream.model import Dream, DreamState, Trigger
from shared.core.dream.operation_filter import OperationFilter
from shared.core.dream.operations import OperationKind
from shared.core.dream.verdicts import Verdict
from shared.core.learning.feedback import Feedback
from shared.core.learning.skills import Opening, SkillUse
from shared.core.memory.doc_type import is_digest
from shared.core.memory.model import Memory, MemoryHead, MemoryKind, domain_of, kind_of
from shared.core.policy.policy import Policy
from shared.core.policy.upkeep import DecayPolicy
from shared.core.questions.change_gate import Asked
from shared.core.tenants.store import PendingMerge, Store, Tenant
from shared.ports.database import UnitOfWork
from shared.ports.dreams import RecordedOperation
from shared.ports.memories import ChangedLine, MemoryVersion, StaleRule, TextLine
from tests.unit.builders import NOW, head_of
from workers.phase.shape import Offered, PhaseContext, Surroundings


class ReadableMemories:
    """The reading half of a memory store; anything else is an AttributeError, because a phase never writes."""

    def __init__(self, memories: Sequence[Memory], moves: Sequence[tuple[str, str | None]]) -> None:
        self._memories = sorted(memories, key=lambda one: one.path)
        self._moves = list(moves)

    def find_changed(self) -> list[ChangedLine]:
        return [ChangedLine(id=m.id, path=m.path, version=m.version) for m in self._memories if m.is_dirty]

    def count_topics(self) -> dict[str, int]:
        return dict(Counter(domain_of(m.path) for m in self._memories if kind_of(m.path) is MemoryKind.TOPIC))

    def find_headlines(self, domains: Collection[str]) -> list[tuple[str, str, str]]:
        heads = [
            head_of(one) for one in self._memories if domain_of(one.path) in domains and not is_digest(one.content)
        ]
        return [(head.id, head.path, f"{head.title} {head.summary}") for head in heads]

    def find_paths(self, prefix: str) -> list[tuple[str, str]]:
        return [(one.id, one.path) for one in self._memories if one.path.startswith(prefix)]

    def find_heads(
        self, folders: Sequence[str] | None = None, *, over_chars: int = 0, aged: StaleRule | None = None
    ) -> list[MemoryHead]:
        assert aged is None or aged.now == NOW
        large = [one for one in self._memories if not over_chars or len(one.content) > over_chars]
        return [head_of(one) for one in large if folders is None or one.path.startswith(tuple(folders))]

    def find_top_heads(self, per_domain: int, _now: datetime, _decay: DecayPolicy) -> list[MemoryHead]:
        assert per_domain > 0
        return self.find_heads()

    def find_by_paths(self, paths: Collection[str]) -> dict[str, Memory]:
        return {memory.path: memory for memory in self.find_live() if memory.path in paths}

    def find_history(self, _memory_id: str, *, limit: int, below: int | None = None) -> list[MemoryVersion]:
        assert limit > 1
        assert below is None or below > 1
        return []

    def find_of_type(self, doc_type: str) -> list[Memory]:
        return [one for one in self._memories if head_of(one).doc_type == doc_type]

    def find_live(self, ids: Collection[str] | None = None) -> list[Memory]:
        return [one for one in self._memories if ids is None or one.id in ids]

    def find_texts(self) -> list[TextLine]:
        return [TextLine(one.id, one.path, one.content, one.is_dirty) for one in self._memories]

    def find_moves(self) -> list[tuple[str, str | None]]:
        return self._moves


def _feedback(feedback: Sequence[Feedback]) -> SimpleNamespace:
    def find(*, limit: int, since: datetime | None = None, **_: object) -> list[Feedback]:
        return [one for one in feedback if since is None or one.occurred_at >= since][:limit]

    return SimpleNamespace(find=find)


def _maintenance(kept: Collection[str]) -> SimpleNamespace:
    return SimpleNamespace(find_kept=lambda: frozenset(kept))


_SAME: dict[str, Any] = {
    "stores": SimpleNamespace(get_tenant=lambda: Tenant(id="acme")),
}


def context(
    *memories: Memory,
    pending: Sequence[PendingMerge] = (),
    moves: Sequence[tuple[str, str | None]] = (),
    changed: int | None = None,
    policy: Policy | None = None,
    openings: Sequence[Opening] = (),
    uses: Sequence[SkillUse] = (),
    feedback: Sequence[Feedback] = (),
    last_dream_at: datetime | None = None,
    due: Sequence[Asked] = (),
    put_back: Sequence[RecordedOperation] = (),
    proposed: Sequence[RecordedOperation] = (),
    refused: Sequence[tuple[OperationKind, Verdict, tuple[Effect, ...]]] = (),
    kept: Collection[str] = (),
    has_model: bool = True,
) -> PhaseContext:
    store = Store(id="sto_1", tenant_id="acme", name="default", curations=3, sessions=1, last_dream_at=last_dream_at)
    uow: Any = SimpleNamespace(
        **dict.fromkeys(("memories", "catalog", "tree"), partial(_give, ReadableMemories(memories, moves))),
        merges=lambda _id: SimpleNamespace(find_open=lambda: list(pending)),
        operations=_log(put_back, proposed),
        maintenance=lambda _id: _maintenance(kept),
        verdicts=lambda _id: _verdicts(refused),
        **_SAME,
        skills=lambda _id: _skills(openings, uses),
        feedback=lambda _id: _feedback(feedback),
        asked=lambda _id: SimpleNamespace(find_due=lambda phase, **_: [one for one in due if one.phase == phase]),
    )
    return PhaseContext(
        uow=cast("UnitOfWork", uow),
        store=store,
        dream=DREAM,
        policy=policy or Policy(),
        now=NOW,
        changed_at_start=sum(one.is_dirty for one in memories) if changed is None else changed,
        find_offered=Offered,
        has_model=lambda: has_model,
    )


def _skills(openings: Sequence[Opening], uses: Sequence[SkillUse]) -> SimpleNamespace:
    return SimpleNamespace(
        find_openings=lambda limit, *, max_chars: [replace(o, text=o.text[:max_chars]) for o in openings[:limit]],
        find_uses=lambda since, limit: [use for use in uses if since is None or use.used_at >= since][:limit],
    )


def _give(readable: ReadableMemories, _id: str) -> ReadableMemories:
    return readable


def _verdicts(refused: Sequence[tuple[OperationKind, Verdict, tuple[Effect, ...]]]) -> SimpleNamespace:
    return SimpleNamespace(
        find=lambda _fingerprint: None,
        find_refused=lambda kind, limit: [tuple(one) for of, *one in refused if of is kind][:limit],
    )


def _log(put_back: Sequence[RecordedOperation], proposed: Sequence[RecordedOperation]) -> SimpleNamespace:
    def find_pending(*, only: OperationFilter, limit: int, **_: object) -> list[RecordedOperation]:
        return [one for one in proposed if one.operation.kind is only.kind][:limit]

    return SimpleNamespace(
        find_all=lambda _id: [],
        find_flags=lambda _store_id, _limit: [],
        find_put_back=lambda _store_id, limit: list(put_back)[:limit],
        find_pending=find_pending,
        find_by_ids=lambda ids: {one.id: one for one in proposed if one.id in ids},
    )


def around(*, live: int = 100, retired: int = 0, policy: Policy | None = None) -> Surroundings:
    return Surroundings(
        policy=policy or Policy(), now=NOW, dream_id="drm_1", live_memories=live, already_retired=retired
    )


DREAM = Dream(
    id="drm_1",
    tenant_id="acme",
    store_id="sto_1",
    store="default",
    state=DreamState.RUNNING,
    trigger=Trigger.CLI,
    epoch=1,
    is_forced=False,
    is_dry_run=False,
    created_at=NOW,
)
