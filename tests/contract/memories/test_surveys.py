"""A dream asks about a whole store without reading it: the database tells what the functions tell."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import product

import pytest

from shared.all_ports import Ports
from shared.core.memory.model import Maturity, Memory, MemoryKind, Signals, domain_of, kind_of
from shared.core.policy.policy import Policy
from shared.core.tenants.store import Store
from shared.core.upkeep.stale import find_stale
from shared.ports.memories import MemoryWrite, StaleRule
from tests.contract.memories.test_top_heads import LAWS, NOW
from tests.support.builders import a_memory

PATHS = (
    "a/notes.md", "a/b/deep.md", "top.md", "a/UPPER.MD", "a/plain", "a/code.py", "a/.hidden", "a/odd.name with words",
    "MEMORY.md", "a/MEMORY.md", "a/notMEMORY.md", "_index.md", "a/_index.md", "a/my_index.md", "a/x.abstract.md",
    "a/x.overview.md", "a/x.stub.md", "a/x.full.md", "a/full.md", ".full.md", "_archived/a.md", "a/_archived/a.md",
    "skills/mail/SKILL.md", "skills/mail/more.md", "skills/loose.md", "skillset/a.md", "logs/2026/07/2026-07-01.md",
    "logs/2026/07/notes.md", "a/logs/2026-07-01.md", "logs.md", "日本/メモ.md", "b/100%_done.md",
)  # fmt: skip


def save(ports: Ports, store: Store, memories: list[Memory]) -> None:
    with ports.db.transaction(store.tenant_id) as uow:
        uow.memories(store.id).write([MemoryWrite(memory=memory, change="create") for memory in memories])


def test_topics_are_counted_by_domain_as_their_kind_says(ports: Ports, store: Store) -> None:
    save(ports, store, [a_memory(path, f"# {path}\n") for path in PATHS])
    with ports.db.transaction(store.tenant_id) as uow:
        counted = uow.tree(store.id).count_topics()
    assert counted == Counter(domain_of(path) for path in PATHS if kind_of(path) is MemoryKind.TOPIC)


def test_the_changed_set_comes_alone(ports: Ports, store: Store) -> None:
    save(ports, store, [a_memory(f"a/{n}.md", "# Note\n", is_dirty=n % 2 == 0) for n in range(4)])
    with ports.db.transaction(store.tenant_id) as uow:
        assert [(one.path, one.version) for one in uow.memories(store.id).find_changed()] == [
            ("a/0.md", 1),
            ("a/2.md", 1),
        ]


def test_headlines_are_those_of_the_domains_without_digests(ports: Ports, store: Store) -> None:
    digest = "---\ntype: daily_digest\n---\n# Digest\n"
    texts = {"a/1.md": "# One\n\nIt is.\n", "a/digest.md": digest, "ab/2.md": "# Two\n", "top.md": "# Top\n\nHere.\n"}
    save(ports, store, [a_memory(path, text) for path, text in texts.items()])
    with ports.db.transaction(store.tenant_id) as uow:
        found = uow.tree(store.id).find_headlines({"a", ""})
    assert [(path, said.split()) for _, path, said in found] == [
        ("a/1.md", ["One", "It", "is."]),
        ("top.md", ["Top", "Here."]),
    ]


@pytest.mark.parametrize("law", LAWS)
def test_no_candidate_for_pruning_is_missed_and_a_young_store_is_not_read(ports: Ports, store: Store, law: str) -> None:
    policy = replace(Policy(), decay=LAWS[law])
    edges = (policy.prune.draft_stale_days, policy.prune.validated_stale_days)
    days = (0, 1, 20, *edges, *(edge - 0.5 for edge in edges), 400)
    kinds = (("", Maturity.DRAFT), ("", Maturity.VALIDATED), ("consolidated_insight", Maturity.DRAFT))
    memories = []
    for number, (age, importance, (kind, maturity)) in enumerate(product(days, (5, 35, 36, 60), kinds)):
        text = f"---\ntype: {kind}\n---\n# Note {number}\n" if kind else f"# Note {number}\n"
        signals = Signals(importance=importance, maturity=maturity)
        at = NOW - timedelta(days=age)
        memories.append(a_memory(f"a/{number:03}.md", text, signals=signals, touched_at=at, is_dirty=False))
    save(ports, store, memories)
    with ports.db.transaction(store.tenant_id) as uow:
        every = uow.memories(store.id).find_heads()
        aged = uow.memories(store.id).find_heads(aged=StaleRule(policy.prune, policy.decay, NOW))
    assert find_stale(aged, policy, NOW) == find_stale(every, policy, NOW)
    assert 0 < len(aged) < len(every)
    young = {
        head.path for head in every if head.touched_at > NOW - timedelta(days=19) and head.signals.importance >= 60
    }
    assert not young & {head.path for head in aged}
